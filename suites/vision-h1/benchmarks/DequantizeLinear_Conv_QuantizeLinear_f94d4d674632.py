"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_f94d4d674632.py [--threads N] [--json]`.

Benchmark f94d4d67463241f3e0aacc0ca879c387d1401f3e4cb9a686b04f527b495f7751,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f94d4d67463241f3e0aacc0ca879c387d1401f3e4cb9a686b04f527b495f7751', SUITE, sys.argv[1:]))
