"""MatMul alone: `python MatMul_b88c44d0283c.py [--threads N] [--json]`.

Benchmark b88c44d0283c89aa4777885942fdd48264db03ce5933aa03e66b8eccb2ac2421,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b88c44d0283c89aa4777885942fdd48264db03ce5933aa03e66b8eccb2ac2421', SUITE, sys.argv[1:]))
