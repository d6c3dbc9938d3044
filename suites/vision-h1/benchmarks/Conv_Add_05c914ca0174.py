"""Conv_Add alone: `python Conv_Add_05c914ca0174.py [--threads N] [--json]`.

Benchmark 05c914ca01748b8463e189cfa0f1fbb879c3d0e1100eead280b3561803721dc4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('05c914ca01748b8463e189cfa0f1fbb879c3d0e1100eead280b3561803721dc4', SUITE, sys.argv[1:]))
