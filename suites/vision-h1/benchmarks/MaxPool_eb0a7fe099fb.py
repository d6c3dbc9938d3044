"""MaxPool alone: `python MaxPool_eb0a7fe099fb.py [--threads N] [--json]`.

Benchmark eb0a7fe099fb2da1c46026c0ec9791b2670c3fd4ff0a69aaa1ea2832615a960f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eb0a7fe099fb2da1c46026c0ec9791b2670c3fd4ff0a69aaa1ea2832615a960f', SUITE, sys.argv[1:]))
