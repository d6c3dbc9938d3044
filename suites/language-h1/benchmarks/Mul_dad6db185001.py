"""Mul alone: `python Mul_dad6db185001.py [--threads N] [--json]`.

Benchmark dad6db1850010a79647f4bf0accbe11666c7d84121ae0f943f68ff4905ac8c1c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dad6db1850010a79647f4bf0accbe11666c7d84121ae0f943f68ff4905ac8c1c', SUITE, sys.argv[1:]))
