"""Gather alone: `python Gather_be21a73dbd4c.py [--threads N] [--json]`.

Benchmark be21a73dbd4c519781c2cb759c8834ec939adecb215e657addbacd3396a87cce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('be21a73dbd4c519781c2cb759c8834ec939adecb215e657addbacd3396a87cce', SUITE, sys.argv[1:]))
