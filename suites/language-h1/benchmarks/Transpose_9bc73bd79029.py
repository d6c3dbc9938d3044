"""Transpose alone: `python Transpose_9bc73bd79029.py [--threads N] [--json]`.

Benchmark 9bc73bd7902933221d2e9a67db70f998d25f7e18f38559b4bf0b5fa84181a637,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9bc73bd7902933221d2e9a67db70f998d25f7e18f38559b4bf0b5fa84181a637', SUITE, sys.argv[1:]))
