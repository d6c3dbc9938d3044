"""Softmax alone: `python Softmax_159fbf015cac.py [--threads N] [--json]`.

Benchmark 159fbf015cac4cd67daa3574ae4d450730a682efc7b02cbaef01385098ee2355,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('159fbf015cac4cd67daa3574ae4d450730a682efc7b02cbaef01385098ee2355', SUITE, sys.argv[1:]))
