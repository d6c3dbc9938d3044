"""Concat alone: `python Concat_de4e3f74b85d.py [--threads N] [--json]`.

Benchmark de4e3f74b85d35f01afea64279c20279f9e04975b5f43ccd4cbbdccba2a4ceed,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('de4e3f74b85d35f01afea64279c20279f9e04975b5f43ccd4cbbdccba2a4ceed', SUITE, sys.argv[1:]))
