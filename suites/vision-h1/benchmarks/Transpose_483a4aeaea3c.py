"""Transpose alone: `python Transpose_483a4aeaea3c.py [--threads N] [--json]`.

Benchmark 483a4aeaea3c6cd52753829343874ffc7a5b0c59762a1df0790050a1ec09e68d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('483a4aeaea3c6cd52753829343874ffc7a5b0c59762a1df0790050a1ec09e68d', SUITE, sys.argv[1:]))
