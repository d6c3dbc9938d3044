"""MatMul_Add alone: `python MatMul_Add_3ec8d8a77294.py [--threads N] [--json]`.

Benchmark 3ec8d8a7729495040b1d905ae5c3544fded36b2bda223d4f89463bddd1c0e6ca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ec8d8a7729495040b1d905ae5c3544fded36b2bda223d4f89463bddd1c0e6ca', SUITE, sys.argv[1:]))
