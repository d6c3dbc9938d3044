"""Conv_Relu alone: `python Conv_Relu_788de26001a2.py [--threads N] [--json]`.

Benchmark 788de26001a2dac3faee61831c1ca8313f729bfe9a40ec20e0cfd7e96baab351,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('788de26001a2dac3faee61831c1ca8313f729bfe9a40ec20e0cfd7e96baab351', SUITE, sys.argv[1:]))
