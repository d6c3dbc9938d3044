"""HardSwish alone: `python HardSwish_bcf1cde2fca9.py [--threads N] [--json]`.

Benchmark bcf1cde2fca9a8dd4537620418c7e40bba657ffa5776198239dc8d00648c48d3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcf1cde2fca9a8dd4537620418c7e40bba657ffa5776198239dc8d00648c48d3', SUITE, sys.argv[1:]))
