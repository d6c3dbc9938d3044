"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_cce08e4b4f29.py [--threads N] [--json]`.

Benchmark cce08e4b4f291f243d4c09198f9f77aa3b42372930b9e16e9f4b5acf807bd4e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cce08e4b4f291f243d4c09198f9f77aa3b42372930b9e16e9f4b5acf807bd4e4', SUITE, sys.argv[1:]))
