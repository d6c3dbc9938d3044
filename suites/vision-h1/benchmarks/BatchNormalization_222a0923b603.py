"""BatchNormalization alone: `python BatchNormalization_222a0923b603.py [--threads N] [--json]`.

Benchmark 222a0923b60397e023bbdc1e529122d7b26ec21ca1e358db9f0152dc65f78cc2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('222a0923b60397e023bbdc1e529122d7b26ec21ca1e358db9f0152dc65f78cc2', SUITE, sys.argv[1:]))
