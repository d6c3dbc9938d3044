"""Add_LayerNormalization alone: `python Add_LayerNormalization_0be6d70a64fc.py [--threads N] [--json]`.

Benchmark 0be6d70a64fc6d751cf4c628fdaaf66ae80e46ff70e7223857739a5e1c090468,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0be6d70a64fc6d751cf4c628fdaaf66ae80e46ff70e7223857739a5e1c090468', SUITE, sys.argv[1:]))
