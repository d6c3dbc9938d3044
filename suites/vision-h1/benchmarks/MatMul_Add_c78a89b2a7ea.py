"""MatMul_Add alone: `python MatMul_Add_c78a89b2a7ea.py [--threads N] [--json]`.

Benchmark c78a89b2a7eae19f284f69cd993bc5a5e8367e6723606d083712f11188491f8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c78a89b2a7eae19f284f69cd993bc5a5e8367e6723606d083712f11188491f8a', SUITE, sys.argv[1:]))
