"""Transpose alone: `python Transpose_d527f36333b8.py [--threads N] [--json]`.

Benchmark d527f36333b8db3ecdb301302c68d7a188f669f6a38b8660ac7737105dd22eb2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d527f36333b8db3ecdb301302c68d7a188f669f6a38b8660ac7737105dd22eb2', SUITE, sys.argv[1:]))
