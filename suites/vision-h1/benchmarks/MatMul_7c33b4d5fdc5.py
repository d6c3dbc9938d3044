"""MatMul alone: `python MatMul_7c33b4d5fdc5.py [--threads N] [--json]`.

Benchmark 7c33b4d5fdc5f24d8b0fef53b8c1b88eabe4c84196eaf3a8cfb345b66c63b448,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7c33b4d5fdc5f24d8b0fef53b8c1b88eabe4c84196eaf3a8cfb345b66c63b448', SUITE, sys.argv[1:]))
