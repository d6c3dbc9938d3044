"""BatchNormalization alone: `python BatchNormalization_3995ee1bf9e5.py [--threads N] [--json]`.

Benchmark 3995ee1bf9e5743f12fbddd262bde565eba9225d2dd9bcb1ac23749c3d6e9b63,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3995ee1bf9e5743f12fbddd262bde565eba9225d2dd9bcb1ac23749c3d6e9b63', SUITE, sys.argv[1:]))
