"""DequantizeLinear_Add_QuantizeLinear alone: `python DequantizeLinear_Add_QuantizeLinear_b195a18f6034.py [--threads N] [--json]`.

Benchmark b195a18f60347894269146510b1370ebfcb77c1f159bb2abc21e4cf5a4d09367,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b195a18f60347894269146510b1370ebfcb77c1f159bb2abc21e4cf5a4d09367', SUITE, sys.argv[1:]))
