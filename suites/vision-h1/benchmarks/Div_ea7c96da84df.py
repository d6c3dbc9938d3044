"""Div alone: `python Div_ea7c96da84df.py [--threads N] [--json]`.

Benchmark ea7c96da84df0e26e12af176200218be19fb8699d95101db6750df1fbe9cdb77,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea7c96da84df0e26e12af176200218be19fb8699d95101db6750df1fbe9cdb77', SUITE, sys.argv[1:]))
