"""Add alone: `python Add_417a413e8d76.py [--threads N] [--json]`.

Benchmark 417a413e8d76481e236916e6674f848d565482190504fb49270c419ecaffef4e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('417a413e8d76481e236916e6674f848d565482190504fb49270c419ecaffef4e', SUITE, sys.argv[1:]))
