"""Concat alone: `python Concat_eb3fbcb18639.py [--threads N] [--json]`.

Benchmark eb3fbcb1863923b3d86b67b379f1ffd7368bf0583825129f87679ee0386a00ae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb3fbcb1863923b3d86b67b379f1ffd7368bf0583825129f87679ee0386a00ae', SUITE, sys.argv[1:]))
