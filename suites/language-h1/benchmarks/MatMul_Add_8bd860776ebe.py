"""MatMul_Add alone: `python MatMul_Add_8bd860776ebe.py [--threads N] [--json]`.

Benchmark 8bd860776ebe92a7bc3dfa5b650bca14cce85e5ffcdacddc14efb3daaa1a310f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8bd860776ebe92a7bc3dfa5b650bca14cce85e5ffcdacddc14efb3daaa1a310f', SUITE, sys.argv[1:]))
