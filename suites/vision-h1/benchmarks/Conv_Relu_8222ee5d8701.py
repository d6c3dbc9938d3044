"""Conv_Relu alone: `python Conv_Relu_8222ee5d8701.py [--threads N] [--json]`.

Benchmark 8222ee5d87014286e599667b78bf4e7c9c7e33a02211ce8e9fb5c1f9fa3978da,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8222ee5d87014286e599667b78bf4e7c9c7e33a02211ce8e9fb5c1f9fa3978da', SUITE, sys.argv[1:]))
