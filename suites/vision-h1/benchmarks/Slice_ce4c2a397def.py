"""Slice alone: `python Slice_ce4c2a397def.py [--threads N] [--json]`.

Benchmark ce4c2a397def4b14e792ef46e256138298a9a5e4bfd20216fd8cf5cb5846aaf4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce4c2a397def4b14e792ef46e256138298a9a5e4bfd20216fd8cf5cb5846aaf4', SUITE, sys.argv[1:]))
