"""Conv_Relu alone: `python Conv_Relu_cdeebd01a118.py [--threads N] [--json]`.

Benchmark cdeebd01a118e5d41973dd00387071446daefab6e818947786d88033ab4517e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cdeebd01a118e5d41973dd00387071446daefab6e818947786d88033ab4517e7', SUITE, sys.argv[1:]))
