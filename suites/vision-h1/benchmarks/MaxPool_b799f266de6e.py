"""MaxPool alone: `python MaxPool_b799f266de6e.py [--threads N] [--json]`.

Benchmark b799f266de6edb34e4b12662aa14a867300912094c63de926f6105557dd8b617,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b799f266de6edb34e4b12662aa14a867300912094c63de926f6105557dd8b617', SUITE, sys.argv[1:]))
