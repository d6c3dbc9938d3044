"""Conv_Relu alone: `python Conv_Relu_846465c6cbc6.py [--threads N] [--json]`.

Benchmark 846465c6cbc674bd34e55901fb49e8ecbb62cfd419545ebcbe6e472d62893f0d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('846465c6cbc674bd34e55901fb49e8ecbb62cfd419545ebcbe6e472d62893f0d', SUITE, sys.argv[1:]))
