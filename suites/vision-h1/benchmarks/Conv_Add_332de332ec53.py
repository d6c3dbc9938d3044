"""Conv_Add alone: `python Conv_Add_332de332ec53.py [--threads N] [--json]`.

Benchmark 332de332ec53f977e8f430697cb9bde3a24c12405288a89971240bd4acdd34e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('332de332ec53f977e8f430697cb9bde3a24c12405288a89971240bd4acdd34e8', SUITE, sys.argv[1:]))
