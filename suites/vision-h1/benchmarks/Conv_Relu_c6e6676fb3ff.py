"""Conv_Relu alone: `python Conv_Relu_c6e6676fb3ff.py [--threads N] [--json]`.

Benchmark c6e6676fb3ff1228c44f1a16151facf9428fea56befdf20f1301e03732aeebf1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c6e6676fb3ff1228c44f1a16151facf9428fea56befdf20f1301e03732aeebf1', SUITE, sys.argv[1:]))
