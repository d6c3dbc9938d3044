"""DequantizeLinear_Add_QuantizeLinear_Conv alone: `python DequantizeLinear_Add_QuantizeLinear_Conv_ee5de6b6bdd4.py [--threads N] [--json]`.

Benchmark ee5de6b6bdd4c1c48fe098a874ba28de2a3ce5f00f9db3f0f0120904bd91245d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ee5de6b6bdd4c1c48fe098a874ba28de2a3ce5f00f9db3f0f0120904bd91245d', SUITE, sys.argv[1:]))
