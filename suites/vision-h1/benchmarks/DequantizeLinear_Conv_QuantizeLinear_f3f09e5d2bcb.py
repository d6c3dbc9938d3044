"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_f3f09e5d2bcb.py [--threads N] [--json]`.

Benchmark f3f09e5d2bcb02b7d106287d2479c5c7fb7ac5cc37bf117edd25b44ef9bdc028,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f3f09e5d2bcb02b7d106287d2479c5c7fb7ac5cc37bf117edd25b44ef9bdc028', SUITE, sys.argv[1:]))
