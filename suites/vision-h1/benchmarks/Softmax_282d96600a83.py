"""Softmax alone: `python Softmax_282d96600a83.py [--threads N] [--json]`.

Benchmark 282d96600a834df86739b80eca013cc6ea78bcd55083478eeafc4f9935538405,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('282d96600a834df86739b80eca013cc6ea78bcd55083478eeafc4f9935538405', SUITE, sys.argv[1:]))
