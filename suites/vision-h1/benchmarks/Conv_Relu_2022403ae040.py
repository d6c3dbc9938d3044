"""Conv_Relu alone: `python Conv_Relu_2022403ae040.py [--threads N] [--json]`.

Benchmark 2022403ae040562b83184c1a8f4d0a101c9add832bdc6e6cc9938c63c742ae09,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2022403ae040562b83184c1a8f4d0a101c9add832bdc6e6cc9938c63c742ae09', SUITE, sys.argv[1:]))
