"""MaxPool alone: `python MaxPool_48643955f765.py [--threads N] [--json]`.

Benchmark 48643955f765dcc3b554338a605f6f887989a4663cf8ece86204338a4eb7bf73,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('48643955f765dcc3b554338a605f6f887989a4663cf8ece86204338a4eb7bf73', SUITE, sys.argv[1:]))
