"""Conv_Relu alone: `python Conv_Relu_734f7ad5aa2e.py [--threads N] [--json]`.

Benchmark 734f7ad5aa2ef0a7c9d7dc77658413d19e95baf8a759cb4c0514683cea7a094e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('734f7ad5aa2ef0a7c9d7dc77658413d19e95baf8a759cb4c0514683cea7a094e', SUITE, sys.argv[1:]))
