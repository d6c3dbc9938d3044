"""MatMul alone: `python MatMul_3ebae3bcb7d0.py [--threads N] [--json]`.

Benchmark 3ebae3bcb7d05bafc7debf80ce86f5dd48814779f64db0d8af979f46310a3e6f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ebae3bcb7d05bafc7debf80ce86f5dd48814779f64db0d8af979f46310a3e6f', SUITE, sys.argv[1:]))
