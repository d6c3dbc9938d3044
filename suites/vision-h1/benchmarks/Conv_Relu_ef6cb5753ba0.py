"""Conv_Relu alone: `python Conv_Relu_ef6cb5753ba0.py [--threads N] [--json]`.

Benchmark ef6cb5753ba062f9b7f5e137fba107679a9b9b6ef44f573106d7471779f63a66,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ef6cb5753ba062f9b7f5e137fba107679a9b9b6ef44f573106d7471779f63a66', SUITE, sys.argv[1:]))
