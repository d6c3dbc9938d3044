"""Gather alone: `python Gather_ec3515e318d9.py [--threads N] [--json]`.

Benchmark ec3515e318d9f7482e428188706bef7ec4f7444ae27105042c81bc55228f0296,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ec3515e318d9f7482e428188706bef7ec4f7444ae27105042c81bc55228f0296', SUITE, sys.argv[1:]))
