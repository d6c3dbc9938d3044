"""Slice alone: `python Slice_5b7673ca4387.py [--threads N] [--json]`.

Benchmark 5b7673ca438723721f2070796a3dd991553aa08ab746f63f071b758e988da11f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b7673ca438723721f2070796a3dd991553aa08ab746f63f071b758e988da11f', SUITE, sys.argv[1:]))
