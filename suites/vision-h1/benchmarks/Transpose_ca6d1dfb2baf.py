"""Transpose alone: `python Transpose_ca6d1dfb2baf.py [--threads N] [--json]`.

Benchmark ca6d1dfb2bafbc8a57f6553146ecd344e80c78b3ab763c69a8cec33b022542e5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ca6d1dfb2bafbc8a57f6553146ecd344e80c78b3ab763c69a8cec33b022542e5', SUITE, sys.argv[1:]))
