"""Split alone: `python Split_811f09f9e6c9.py [--threads N] [--json]`.

Benchmark 811f09f9e6c9daa2568aa071fd7184e0acf0143b43d1b5de8d6bdd30a9627a39,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('811f09f9e6c9daa2568aa071fd7184e0acf0143b43d1b5de8d6bdd30a9627a39', SUITE, sys.argv[1:]))
