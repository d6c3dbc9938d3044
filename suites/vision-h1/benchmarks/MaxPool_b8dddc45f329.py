"""MaxPool alone: `python MaxPool_b8dddc45f329.py [--threads N] [--json]`.

Benchmark b8dddc45f3293d91427a0996f39060cd3dc6740b73ea32e9fa4741a4ebca91db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8dddc45f3293d91427a0996f39060cd3dc6740b73ea32e9fa4741a4ebca91db', SUITE, sys.argv[1:]))
