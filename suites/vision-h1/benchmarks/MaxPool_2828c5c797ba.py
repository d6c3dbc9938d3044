"""MaxPool alone: `python MaxPool_2828c5c797ba.py [--threads N] [--json]`.

Benchmark 2828c5c797ba5c5341b390f6a2b764a701eee636d64438ae03da0ff6566c8836,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2828c5c797ba5c5341b390f6a2b764a701eee636d64438ae03da0ff6566c8836', SUITE, sys.argv[1:]))
