"""Transpose alone: `python Transpose_ceb8a57b8da9.py [--threads N] [--json]`.

Benchmark ceb8a57b8da929c4264b2752544c4fad0745bcd3c6fbab3fe9fa962533dd59b6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ceb8a57b8da929c4264b2752544c4fad0745bcd3c6fbab3fe9fa962533dd59b6', SUITE, sys.argv[1:]))
