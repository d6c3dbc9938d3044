"""Concat alone: `python Concat_d7e922454590.py [--threads N] [--json]`.

Benchmark d7e92245459076b6fa97930f4f6a71ed5aa045c3c80e141198f834a164a30a0f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d7e92245459076b6fa97930f4f6a71ed5aa045c3c80e141198f834a164a30a0f', SUITE, sys.argv[1:]))
