"""Expand alone: `python Expand_ef78de6fe46b.py [--threads N] [--json]`.

Benchmark ef78de6fe46b6d9186275a374347625e0c118c05132b45565a973a18db8c52f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef78de6fe46b6d9186275a374347625e0c118c05132b45565a973a18db8c52f6', SUITE, sys.argv[1:]))
