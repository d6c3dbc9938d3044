"""Resize alone: `python Resize_8d207ec6310a.py [--threads N] [--json]`.

Benchmark 8d207ec6310a92fe110f4e65843487791fa03ff9323030058eaf2a01547598ef,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d207ec6310a92fe110f4e65843487791fa03ff9323030058eaf2a01547598ef', SUITE, sys.argv[1:]))
