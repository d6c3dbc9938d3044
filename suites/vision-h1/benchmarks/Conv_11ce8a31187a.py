"""Conv alone: `python Conv_11ce8a31187a.py [--threads N] [--json]`.

Benchmark 11ce8a31187a38eadbe437e6c4f063b89cbc8676002ccaab5cbb02c287844f07,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('11ce8a31187a38eadbe437e6c4f063b89cbc8676002ccaab5cbb02c287844f07', SUITE, sys.argv[1:]))
