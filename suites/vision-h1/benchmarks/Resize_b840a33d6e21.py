"""Resize alone: `python Resize_b840a33d6e21.py [--threads N] [--json]`.

Benchmark b840a33d6e21a083bee9c03cf769887d19f3b74b7eb050cf50e375fec996ea99,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b840a33d6e21a083bee9c03cf769887d19f3b74b7eb050cf50e375fec996ea99', SUITE, sys.argv[1:]))
