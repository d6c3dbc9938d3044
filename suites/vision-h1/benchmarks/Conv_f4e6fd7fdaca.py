"""Conv alone: `python Conv_f4e6fd7fdaca.py [--threads N] [--json]`.

Benchmark f4e6fd7fdacad51c583c89aaf2d30b6b6013f8e783076df3ad885e52a6c3fe5a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4e6fd7fdacad51c583c89aaf2d30b6b6013f8e783076df3ad885e52a6c3fe5a', SUITE, sys.argv[1:]))
