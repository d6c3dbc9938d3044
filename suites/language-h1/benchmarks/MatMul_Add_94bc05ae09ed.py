"""MatMul_Add alone: `python MatMul_Add_94bc05ae09ed.py [--threads N] [--json]`.

Benchmark 94bc05ae09ed1fc4e6bc6f65b0a32cd8bbc2c3d4b9d2a337bb7f11aa319e59df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('94bc05ae09ed1fc4e6bc6f65b0a32cd8bbc2c3d4b9d2a337bb7f11aa319e59df', SUITE, sys.argv[1:]))
