"""Pad alone: `python Pad_fef4d1a623ae.py [--threads N] [--json]`.

Benchmark fef4d1a623aee448849decbf76d76142814db61d987b0bf82be6e8cb02963373,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fef4d1a623aee448849decbf76d76142814db61d987b0bf82be6e8cb02963373', SUITE, sys.argv[1:]))
