"""ReduceL2 alone: `python ReduceL2_8f42cc936ece.py [--threads N] [--json]`.

Benchmark 8f42cc936eceb9af7f25399cb82c56183aee458bf6ac4ad264d2d256b97f1713,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8f42cc936eceb9af7f25399cb82c56183aee458bf6ac4ad264d2d256b97f1713', SUITE, sys.argv[1:]))
