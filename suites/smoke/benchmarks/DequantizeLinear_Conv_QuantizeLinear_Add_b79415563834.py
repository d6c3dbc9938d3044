"""DequantizeLinear_Conv_QuantizeLinear_Add alone: `python DequantizeLinear_Conv_QuantizeLinear_Add_b79415563834.py [--threads N] [--json]`.

Benchmark b79415563834747037abd8e5a9622cd9a61fe126f1ad85ef42fd9f43d74b33d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b79415563834747037abd8e5a9622cd9a61fe126f1ad85ef42fd9f43d74b33d5', SUITE, sys.argv[1:]))
