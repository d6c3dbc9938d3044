"""Conv alone: `python Conv_129a8c63f7c5.py [--threads N] [--json]`.

Benchmark 129a8c63f7c55fa142c392bf16c4dc85751418e78216eb91b63628b3d8d6b36b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('129a8c63f7c55fa142c392bf16c4dc85751418e78216eb91b63628b3d8d6b36b', SUITE, sys.argv[1:]))
