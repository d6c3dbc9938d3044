"""Transpose alone: `python Transpose_aab4b5513d36.py [--threads N] [--json]`.

Benchmark aab4b5513d366f89a80202ee60bf17fe7007aa894dba9c8be200198603d7c97d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aab4b5513d366f89a80202ee60bf17fe7007aa894dba9c8be200198603d7c97d', SUITE, sys.argv[1:]))
