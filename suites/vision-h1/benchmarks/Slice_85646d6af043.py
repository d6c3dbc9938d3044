"""Slice alone: `python Slice_85646d6af043.py [--threads N] [--json]`.

Benchmark 85646d6af043c890e528fa0ab413dfce93ae87d037a27126b1337c2c2e27c731,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85646d6af043c890e528fa0ab413dfce93ae87d037a27126b1337c2c2e27c731', SUITE, sys.argv[1:]))
