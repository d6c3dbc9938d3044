"""MatMul_Add alone: `python MatMul_Add_91e8d82afc7c.py [--threads N] [--json]`.

Benchmark 91e8d82afc7c35efffc136e85c781c3a7ca57f55debfcbd3384f9d0ce5b91abe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91e8d82afc7c35efffc136e85c781c3a7ca57f55debfcbd3384f9d0ce5b91abe', SUITE, sys.argv[1:]))
