"""Split alone: `python Split_031c05536d76.py [--threads N] [--json]`.

Benchmark 031c05536d768815e9e3cd68b57a54cf03165d6528a3e379fedea90acfae5c2c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('031c05536d768815e9e3cd68b57a54cf03165d6528a3e379fedea90acfae5c2c', SUITE, sys.argv[1:]))
