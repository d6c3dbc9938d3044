"""Gather alone: `python Gather_a3faa55a35fc.py [--threads N] [--json]`.

Benchmark a3faa55a35fceb27e8c5b933efd5cbd72be3c75cbe23bdc2f54c3a5c38050342,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3faa55a35fceb27e8c5b933efd5cbd72be3c75cbe23bdc2f54c3a5c38050342', SUITE, sys.argv[1:]))
