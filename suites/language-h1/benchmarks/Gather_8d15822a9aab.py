"""Gather alone: `python Gather_8d15822a9aab.py [--threads N] [--json]`.

Benchmark 8d15822a9aab77ddbd2443f61618bbc00339e649ee071744faa4768d07ca8c1e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8d15822a9aab77ddbd2443f61618bbc00339e649ee071744faa4768d07ca8c1e', SUITE, sys.argv[1:]))
