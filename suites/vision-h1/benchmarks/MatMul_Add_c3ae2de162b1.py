"""MatMul_Add alone: `python MatMul_Add_c3ae2de162b1.py [--threads N] [--json]`.

Benchmark c3ae2de162b18800792eaff85a86025b841c08f620ea4a47f7dd6f219373d084,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c3ae2de162b18800792eaff85a86025b841c08f620ea4a47f7dd6f219373d084', SUITE, sys.argv[1:]))
