"""Slice alone: `python Slice_d467ed8f3dc6.py [--threads N] [--json]`.

Benchmark d467ed8f3dc6ca2e038f47ea0269c56b00c9fb5a43dbcdad7ef5335929706c1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d467ed8f3dc6ca2e038f47ea0269c56b00c9fb5a43dbcdad7ef5335929706c1f', SUITE, sys.argv[1:]))
