"""Add alone: `python Add_cc579a3fa9e9.py [--threads N] [--json]`.

Benchmark cc579a3fa9e9d4ff90b9513586bf6a941c79e6aacdf2b2dbffe24ff6ea715b99,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cc579a3fa9e9d4ff90b9513586bf6a941c79e6aacdf2b2dbffe24ff6ea715b99', SUITE, sys.argv[1:]))
