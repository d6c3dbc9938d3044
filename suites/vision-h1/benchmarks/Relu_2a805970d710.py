"""Relu alone: `python Relu_2a805970d710.py [--threads N] [--json]`.

Benchmark 2a805970d710a4ba17dadf9aff3ebd442d6fec0df9a2db5b23c4e43a34a70e5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2a805970d710a4ba17dadf9aff3ebd442d6fec0df9a2db5b23c4e43a34a70e5e', SUITE, sys.argv[1:]))
