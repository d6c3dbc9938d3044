"""Gather alone: `python Gather_c935080246be.py [--threads N] [--json]`.

Benchmark c935080246be78980033001f1ce2c2fa296374fe6df52d68a4ecf7d560eb149d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c935080246be78980033001f1ce2c2fa296374fe6df52d68a4ecf7d560eb149d', SUITE, sys.argv[1:]))
