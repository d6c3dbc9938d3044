"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_f449e05c27dc.py [--threads N] [--json]`.

Benchmark f449e05c27dcb30a50bd02cc4bd5ae9526ea3b16341924a7e18cbc2780242f3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f449e05c27dcb30a50bd02cc4bd5ae9526ea3b16341924a7e18cbc2780242f3c', SUITE, sys.argv[1:]))
