"""Gather alone: `python Gather_203559159cc1.py [--threads N] [--json]`.

Benchmark 203559159cc1c114a0af8a683d04c3d52b7511434699e38e4eff010c9b9d39dd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('203559159cc1c114a0af8a683d04c3d52b7511434699e38e4eff010c9b9d39dd', SUITE, sys.argv[1:]))
