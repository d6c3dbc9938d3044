"""Softmax alone: `python Softmax_d9e6beced510.py [--threads N] [--json]`.

Benchmark d9e6beced510d05e82ead11d5c05c7103a0f903146480a80ca21ed778fcef3be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d9e6beced510d05e82ead11d5c05c7103a0f903146480a80ca21ed778fcef3be', SUITE, sys.argv[1:]))
