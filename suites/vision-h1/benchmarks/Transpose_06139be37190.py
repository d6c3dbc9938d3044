"""Transpose alone: `python Transpose_06139be37190.py [--threads N] [--json]`.

Benchmark 06139be37190ef0f1e82afdc0a964831020571c3cd2041360574f8041f6d9937,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('06139be37190ef0f1e82afdc0a964831020571c3cd2041360574f8041f6d9937', SUITE, sys.argv[1:]))
