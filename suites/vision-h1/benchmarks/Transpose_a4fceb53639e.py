"""Transpose alone: `python Transpose_a4fceb53639e.py [--threads N] [--json]`.

Benchmark a4fceb53639e8652f3e460d3e446552b4e7ead6754ef535277625008488a172a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a4fceb53639e8652f3e460d3e446552b4e7ead6754ef535277625008488a172a', SUITE, sys.argv[1:]))
