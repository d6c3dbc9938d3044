"""Transpose alone: `python Transpose_e6bce652a26d.py [--threads N] [--json]`.

Benchmark e6bce652a26df9de6e435d7b7240ad397c2471c5fa7055cd61ae9b9fa939525d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e6bce652a26df9de6e435d7b7240ad397c2471c5fa7055cd61ae9b9fa939525d', SUITE, sys.argv[1:]))
