"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_cdb9f3de7b47.py [--threads N] [--json]`.

Benchmark cdb9f3de7b47cd9424c8fdffc4c99600fff835cddec98a87c116687cbe0222a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cdb9f3de7b47cd9424c8fdffc4c99600fff835cddec98a87c116687cbe0222a3', SUITE, sys.argv[1:]))
