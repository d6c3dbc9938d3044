"""Conv alone: `python Conv_d95a6c783f20.py [--threads N] [--json]`.

Benchmark d95a6c783f20de910310d9ebb2e2959a449b926b7126bea00281d257e60330cb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d95a6c783f20de910310d9ebb2e2959a449b926b7126bea00281d257e60330cb', SUITE, sys.argv[1:]))
