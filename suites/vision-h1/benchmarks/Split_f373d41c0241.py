"""Split alone: `python Split_f373d41c0241.py [--threads N] [--json]`.

Benchmark f373d41c0241369923e8e2ed3a48a212885e51b063a5bdb155747dacfc7b03cf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f373d41c0241369923e8e2ed3a48a212885e51b063a5bdb155747dacfc7b03cf', SUITE, sys.argv[1:]))
