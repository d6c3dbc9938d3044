"""Relu alone: `python Relu_fc454060bf2e.py [--threads N] [--json]`.

Benchmark fc454060bf2ecd4d631d634988cb8ead2dd2c5bc5979bcd124b91d6bd7729335,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fc454060bf2ecd4d631d634988cb8ead2dd2c5bc5979bcd124b91d6bd7729335', SUITE, sys.argv[1:]))
