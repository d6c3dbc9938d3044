"""Concat alone: `python Concat_fca8020f3bb2.py [--threads N] [--json]`.

Benchmark fca8020f3bb255a6ca527fb08b07139781834a2423d797d84ff7db8f1a24460a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fca8020f3bb255a6ca527fb08b07139781834a2423d797d84ff7db8f1a24460a', SUITE, sys.argv[1:]))
