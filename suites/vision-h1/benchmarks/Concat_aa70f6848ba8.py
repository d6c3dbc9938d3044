"""Concat alone: `python Concat_aa70f6848ba8.py [--threads N] [--json]`.

Benchmark aa70f6848ba8c6b422e625a6ee8c67547deb7e58fd7f1b395cfb6b4fecbcda43,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa70f6848ba8c6b422e625a6ee8c67547deb7e58fd7f1b395cfb6b4fecbcda43', SUITE, sys.argv[1:]))
