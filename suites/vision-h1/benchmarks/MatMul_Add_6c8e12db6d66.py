"""MatMul_Add alone: `python MatMul_Add_6c8e12db6d66.py [--threads N] [--json]`.

Benchmark 6c8e12db6d66618b754d41db4dc616552f09c292627794444b83e6c58d9b4dc3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c8e12db6d66618b754d41db4dc616552f09c292627794444b83e6c58d9b4dc3', SUITE, sys.argv[1:]))
