"""Softmax alone: `python Softmax_37329ca736ad.py [--threads N] [--json]`.

Benchmark 37329ca736ad11e9da45e70676b2ce4accbc1c04658d08a90cbcafa7839815b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('37329ca736ad11e9da45e70676b2ce4accbc1c04658d08a90cbcafa7839815b9', SUITE, sys.argv[1:]))
