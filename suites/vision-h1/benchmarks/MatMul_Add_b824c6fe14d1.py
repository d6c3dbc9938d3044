"""MatMul_Add alone: `python MatMul_Add_b824c6fe14d1.py [--threads N] [--json]`.

Benchmark b824c6fe14d14a626399b4011919273cfa0acd7f1971e111c5c276eec12e5819,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b824c6fe14d14a626399b4011919273cfa0acd7f1971e111c5c276eec12e5819', SUITE, sys.argv[1:]))
