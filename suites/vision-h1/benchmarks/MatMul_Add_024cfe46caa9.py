"""MatMul_Add alone: `python MatMul_Add_024cfe46caa9.py [--threads N] [--json]`.

Benchmark 024cfe46caa9f1eb82ae32f2532b7d7077b96a12117d021648cd62ede9f976ac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('024cfe46caa9f1eb82ae32f2532b7d7077b96a12117d021648cd62ede9f976ac', SUITE, sys.argv[1:]))
