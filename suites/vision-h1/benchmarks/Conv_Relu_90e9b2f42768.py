"""Conv_Relu alone: `python Conv_Relu_90e9b2f42768.py [--threads N] [--json]`.

Benchmark 90e9b2f4276881f360bedd26d2515eb50e67762324cdc3a9463e2dbd29f258f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90e9b2f4276881f360bedd26d2515eb50e67762324cdc3a9463e2dbd29f258f7', SUITE, sys.argv[1:]))
