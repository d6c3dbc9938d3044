"""Transpose alone: `python Transpose_1fafc95c89be.py [--threads N] [--json]`.

Benchmark 1fafc95c89be0dcd49701f9d85ba8294dffd61665d64ad0f379e78550751b9d5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1fafc95c89be0dcd49701f9d85ba8294dffd61665d64ad0f379e78550751b9d5', SUITE, sys.argv[1:]))
