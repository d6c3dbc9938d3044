"""Conv_Relu alone: `python Conv_Relu_80e59b220e36.py [--threads N] [--json]`.

Benchmark 80e59b220e3636c56693aceab5bdd23d5e01f352996fd511928f09350dfd5702,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80e59b220e3636c56693aceab5bdd23d5e01f352996fd511928f09350dfd5702', SUITE, sys.argv[1:]))
