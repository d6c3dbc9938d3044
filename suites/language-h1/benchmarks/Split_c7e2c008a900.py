"""Split alone: `python Split_c7e2c008a900.py [--threads N] [--json]`.

Benchmark c7e2c008a90046602e5db444a16e611c7b0b1f9d5449f2383eaf07cb72fdd516,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c7e2c008a90046602e5db444a16e611c7b0b1f9d5449f2383eaf07cb72fdd516', SUITE, sys.argv[1:]))
