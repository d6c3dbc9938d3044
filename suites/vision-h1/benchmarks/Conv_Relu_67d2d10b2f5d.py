"""Conv_Relu alone: `python Conv_Relu_67d2d10b2f5d.py [--threads N] [--json]`.

Benchmark 67d2d10b2f5d2a6df0d1e9f1cda6b81c3f0010b6c401f26c252300e92ec8621b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('67d2d10b2f5d2a6df0d1e9f1cda6b81c3f0010b6c401f26c252300e92ec8621b', SUITE, sys.argv[1:]))
