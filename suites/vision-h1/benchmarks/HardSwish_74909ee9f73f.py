"""HardSwish alone: `python HardSwish_74909ee9f73f.py [--threads N] [--json]`.

Benchmark 74909ee9f73f4e97960dff6589f34d5c5ff6b16ecd608d854935688b1a7e16f1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('74909ee9f73f4e97960dff6589f34d5c5ff6b16ecd608d854935688b1a7e16f1', SUITE, sys.argv[1:]))
