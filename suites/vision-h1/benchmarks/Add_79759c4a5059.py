"""Add alone: `python Add_79759c4a5059.py [--threads N] [--json]`.

Benchmark 79759c4a50598f1c8518142ae36ad95c11fc45d0f1bd1c01a87c019e6188e99f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('79759c4a50598f1c8518142ae36ad95c11fc45d0f1bd1c01a87c019e6188e99f', SUITE, sys.argv[1:]))
