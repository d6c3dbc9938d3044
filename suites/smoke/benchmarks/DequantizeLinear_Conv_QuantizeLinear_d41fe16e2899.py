"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_d41fe16e2899.py [--threads N] [--json]`.

Benchmark d41fe16e28995a05ec7769896114cc2bd7e4aff92374862726ef06e15cbd8031,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d41fe16e28995a05ec7769896114cc2bd7e4aff92374862726ef06e15cbd8031', SUITE, sys.argv[1:]))
