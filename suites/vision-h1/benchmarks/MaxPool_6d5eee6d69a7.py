"""MaxPool alone: `python MaxPool_6d5eee6d69a7.py [--threads N] [--json]`.

Benchmark 6d5eee6d69a7dcd0d276a3fc36841d0bb67af9af3bf4cd89d2edd07020fc475a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d5eee6d69a7dcd0d276a3fc36841d0bb67af9af3bf4cd89d2edd07020fc475a', SUITE, sys.argv[1:]))
