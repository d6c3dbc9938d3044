"""Transpose alone: `python Transpose_310f19162bfc.py [--threads N] [--json]`.

Benchmark 310f19162bfce8f1e7dae9919dfe123fba02e63ffb9b92bcc0b9c86e70012951,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('310f19162bfce8f1e7dae9919dfe123fba02e63ffb9b92bcc0b9c86e70012951', SUITE, sys.argv[1:]))
