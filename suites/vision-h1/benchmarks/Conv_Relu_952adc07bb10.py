"""Conv_Relu alone: `python Conv_Relu_952adc07bb10.py [--threads N] [--json]`.

Benchmark 952adc07bb10da75b915e38178d18f2bed1d4ab6995df18739a6392b8df501a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('952adc07bb10da75b915e38178d18f2bed1d4ab6995df18739a6392b8df501a5', SUITE, sys.argv[1:]))
