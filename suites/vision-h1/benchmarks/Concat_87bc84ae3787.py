"""Concat alone: `python Concat_87bc84ae3787.py [--threads N] [--json]`.

Benchmark 87bc84ae37876b44f2208ea4e75832fe27a2a28c8f7c587732002d277dba76f4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('87bc84ae37876b44f2208ea4e75832fe27a2a28c8f7c587732002d277dba76f4', SUITE, sys.argv[1:]))
