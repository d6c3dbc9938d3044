"""Softmax alone: `python Softmax_bb85eb436241.py [--threads N] [--json]`.

Benchmark bb85eb436241fff671ffb4a3e78296529dbf2c3423540b88bbc713b9287fbda1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb85eb436241fff671ffb4a3e78296529dbf2c3423540b88bbc713b9287fbda1', SUITE, sys.argv[1:]))
