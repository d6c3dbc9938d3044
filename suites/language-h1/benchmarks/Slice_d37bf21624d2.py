"""Slice alone: `python Slice_d37bf21624d2.py [--threads N] [--json]`.

Benchmark d37bf21624d2e91008c9eb6310813635c93e65ee3f51a73f67e0e698291f4475,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d37bf21624d2e91008c9eb6310813635c93e65ee3f51a73f67e0e698291f4475', SUITE, sys.argv[1:]))
