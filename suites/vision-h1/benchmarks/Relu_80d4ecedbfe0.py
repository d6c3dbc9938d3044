"""Relu alone: `python Relu_80d4ecedbfe0.py [--threads N] [--json]`.

Benchmark 80d4ecedbfe09385a451ac2b70868ec6c5a8d8d348e24897bd24ee0dc4041ef3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('80d4ecedbfe09385a451ac2b70868ec6c5a8d8d348e24897bd24ee0dc4041ef3', SUITE, sys.argv[1:]))
