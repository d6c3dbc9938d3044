"""MatMul_Add alone: `python MatMul_Add_55fa1f01ab5d.py [--threads N] [--json]`.

Benchmark 55fa1f01ab5d788904fb6dbf6a708cb26a2e882f55cd8d3a92841f78abbf56ce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55fa1f01ab5d788904fb6dbf6a708cb26a2e882f55cd8d3a92841f78abbf56ce', SUITE, sys.argv[1:]))
