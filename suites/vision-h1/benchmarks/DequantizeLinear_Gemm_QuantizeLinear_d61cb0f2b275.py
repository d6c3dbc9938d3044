"""DequantizeLinear_Gemm_QuantizeLinear alone: `python DequantizeLinear_Gemm_QuantizeLinear_d61cb0f2b275.py [--threads N] [--json]`.

Benchmark d61cb0f2b275a0ea66769a710d5a090620deeba60156a7845ab9b6deb2e24081,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d61cb0f2b275a0ea66769a710d5a090620deeba60156a7845ab9b6deb2e24081', SUITE, sys.argv[1:]))
