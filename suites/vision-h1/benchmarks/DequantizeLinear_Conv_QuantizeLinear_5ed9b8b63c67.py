"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_5ed9b8b63c67.py [--threads N] [--json]`.

Benchmark 5ed9b8b63c67bbd409aacb9e38dbd7ffc807565296f33bc10643b764655640fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ed9b8b63c67bbd409aacb9e38dbd7ffc807565296f33bc10643b764655640fa', SUITE, sys.argv[1:]))
