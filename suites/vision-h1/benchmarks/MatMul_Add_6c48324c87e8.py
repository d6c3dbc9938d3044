"""MatMul_Add alone: `python MatMul_Add_6c48324c87e8.py [--threads N] [--json]`.

Benchmark 6c48324c87e868f0e91632d3a7aaaa16faaba3d2b5a4ec3c677ae6c31e7dc1f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6c48324c87e868f0e91632d3a7aaaa16faaba3d2b5a4ec3c677ae6c31e7dc1f7', SUITE, sys.argv[1:]))
