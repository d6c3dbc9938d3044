"""Relu alone: `python Relu_f5cd965a1f48.py [--threads N] [--json]`.

Benchmark f5cd965a1f48f6391d3d4ae21d4c54b6608834fef814a1b3e64282ff7e8c00db,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5cd965a1f48f6391d3d4ae21d4c54b6608834fef814a1b3e64282ff7e8c00db', SUITE, sys.argv[1:]))
