"""Slice alone: `python Slice_accced3873db.py [--threads N] [--json]`.

Benchmark accced3873dbd35320fda938c6eec9c66c97707ff15310cf295f0bdd5dec777b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('accced3873dbd35320fda938c6eec9c66c97707ff15310cf295f0bdd5dec777b', SUITE, sys.argv[1:]))
