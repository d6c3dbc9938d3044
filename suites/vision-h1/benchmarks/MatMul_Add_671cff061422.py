"""MatMul_Add alone: `python MatMul_Add_671cff061422.py [--threads N] [--json]`.

Benchmark 671cff0614223f8a25899c962a8be7e5d810df661b3121ed97f28adf4dfa1bff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('671cff0614223f8a25899c962a8be7e5d810df661b3121ed97f28adf4dfa1bff', SUITE, sys.argv[1:]))
