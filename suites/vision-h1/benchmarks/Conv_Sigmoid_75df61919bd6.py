"""Conv_Sigmoid alone: `python Conv_Sigmoid_75df61919bd6.py [--threads N] [--json]`.

Benchmark 75df61919bd6dd68069f646531bf668dff241153c249ed8ed9d2673e59d0f599,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75df61919bd6dd68069f646531bf668dff241153c249ed8ed9d2673e59d0f599', SUITE, sys.argv[1:]))
