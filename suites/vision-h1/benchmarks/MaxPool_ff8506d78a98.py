"""MaxPool alone: `python MaxPool_ff8506d78a98.py [--threads N] [--json]`.

Benchmark ff8506d78a98778c9edfc441f7596b38316be9e6d0fd8c8af758616bfa041f93,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff8506d78a98778c9edfc441f7596b38316be9e6d0fd8c8af758616bfa041f93', SUITE, sys.argv[1:]))
