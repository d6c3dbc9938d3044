"""Conv_Relu alone: `python Conv_Relu_1a423fad0214.py [--threads N] [--json]`.

Benchmark 1a423fad02142e843407ae7ef2da992e8803bbeda6c0825cf8a13ed2fafb3c3d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1a423fad02142e843407ae7ef2da992e8803bbeda6c0825cf8a13ed2fafb3c3d', SUITE, sys.argv[1:]))
