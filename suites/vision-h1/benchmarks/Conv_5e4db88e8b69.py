"""Conv alone: `python Conv_5e4db88e8b69.py [--threads N] [--json]`.

Benchmark 5e4db88e8b69fe0e27d1aed6928034fca00735adee556e09a241d9418ca821db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5e4db88e8b69fe0e27d1aed6928034fca00735adee556e09a241d9418ca821db', SUITE, sys.argv[1:]))
