"""Conv_Relu alone: `python Conv_Relu_2cba08e8ff54.py [--threads N] [--json]`.

Benchmark 2cba08e8ff546d9a206da53a18a8b672e87bfb888b8f0dc79b3c86b94909069b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2cba08e8ff546d9a206da53a18a8b672e87bfb888b8f0dc79b3c86b94909069b', SUITE, sys.argv[1:]))
