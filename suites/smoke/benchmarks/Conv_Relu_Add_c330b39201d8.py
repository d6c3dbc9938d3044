"""Conv_Relu_Add alone: `python Conv_Relu_Add_c330b39201d8.py [--threads N] [--json]`.

Benchmark c330b39201d8d1609c2bf799ed9a1475836834df00296acfb1a7e50b01ab3b0b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c330b39201d8d1609c2bf799ed9a1475836834df00296acfb1a7e50b01ab3b0b', SUITE, sys.argv[1:]))
