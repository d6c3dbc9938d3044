"""Transpose alone: `python Transpose_50b695326c6f.py [--threads N] [--json]`.

Benchmark 50b695326c6ff06138fd97b33fa904c2224dbc1edd3970d2b68b13b4441bc542,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50b695326c6ff06138fd97b33fa904c2224dbc1edd3970d2b68b13b4441bc542', SUITE, sys.argv[1:]))
