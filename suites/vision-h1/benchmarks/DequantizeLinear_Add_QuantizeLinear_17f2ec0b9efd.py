"""DequantizeLinear_Add_QuantizeLinear alone: `python DequantizeLinear_Add_QuantizeLinear_17f2ec0b9efd.py [--threads N] [--json]`.

Benchmark 17f2ec0b9efde1a57ce61ca10958363a970997b11fc03571fc042fa82d308ed4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17f2ec0b9efde1a57ce61ca10958363a970997b11fc03571fc042fa82d308ed4', SUITE, sys.argv[1:]))
