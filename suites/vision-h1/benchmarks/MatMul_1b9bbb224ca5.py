"""MatMul alone: `python MatMul_1b9bbb224ca5.py [--threads N] [--json]`.

Benchmark 1b9bbb224ca536c8e9e11b4613af6121b7a6283ac3ea998d7bc03d6d432511fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b9bbb224ca536c8e9e11b4613af6121b7a6283ac3ea998d7bc03d6d432511fe', SUITE, sys.argv[1:]))
