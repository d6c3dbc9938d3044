"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_f39a3e7d2477.py [--threads N] [--json]`.

Benchmark f39a3e7d24775d17011523aae1e118bfee4a519d9eef4f74e636055d8b2f48b7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f39a3e7d24775d17011523aae1e118bfee4a519d9eef4f74e636055d8b2f48b7', SUITE, sys.argv[1:]))
