"""DequantizeLinear_Conv_QuantizeLinear alone: `python DequantizeLinear_Conv_QuantizeLinear_a1f9599e22c0.py [--threads N] [--json]`.

Benchmark a1f9599e22c0c2c3ed60bb1c6a644076867274fce0bf493b6d75a364c2cdd056,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a1f9599e22c0c2c3ed60bb1c6a644076867274fce0bf493b6d75a364c2cdd056', SUITE, sys.argv[1:]))
