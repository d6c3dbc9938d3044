"""DequantizeLinear_Conv_QuantizeLinear_etc alone: `python DequantizeLinear_Conv_QuantizeLinear_etc_f98ba6c86c84.py [--threads N] [--json]`.

Benchmark f98ba6c86c84529a3024b56644d71158d4d9f7206847834ea50dd74b4e0ab8da,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f98ba6c86c84529a3024b56644d71158d4d9f7206847834ea50dd74b4e0ab8da', SUITE, sys.argv[1:]))
