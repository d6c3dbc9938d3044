"""Transpose alone: `python Transpose_21613ad31c79.py [--threads N] [--json]`.

Benchmark 21613ad31c79c329b6052c13fd5520a6505525c50847e5696695220b88a7ba36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('21613ad31c79c329b6052c13fd5520a6505525c50847e5696695220b88a7ba36', SUITE, sys.argv[1:]))
