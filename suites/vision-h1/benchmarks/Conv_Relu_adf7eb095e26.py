"""Conv_Relu alone: `python Conv_Relu_adf7eb095e26.py [--threads N] [--json]`.

Benchmark adf7eb095e26a3f2a524f030942f9996d9fc07b32931fcc0277a7090ab205c93,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('adf7eb095e26a3f2a524f030942f9996d9fc07b32931fcc0277a7090ab205c93', SUITE, sys.argv[1:]))
