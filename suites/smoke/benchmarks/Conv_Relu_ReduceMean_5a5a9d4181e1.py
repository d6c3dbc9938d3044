"""Conv_Relu_ReduceMean alone: `python Conv_Relu_ReduceMean_5a5a9d4181e1.py [--threads N] [--json]`.

Benchmark 5a5a9d4181e1f3a6a5789be89c4a305f6e475f21e997b267a64cab8eec0df279,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5a5a9d4181e1f3a6a5789be89c4a305f6e475f21e997b267a64cab8eec0df279', SUITE, sys.argv[1:]))
