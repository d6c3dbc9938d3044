"""Conv_Add_Relu alone: `python Conv_Add_Relu_bd7af25c311f.py [--threads N] [--json]`.

Benchmark bd7af25c311f078706288005d0e88cb5f16c6b74f1be2c6f8169b82fd282108d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bd7af25c311f078706288005d0e88cb5f16c6b74f1be2c6f8169b82fd282108d', SUITE, sys.argv[1:]))
