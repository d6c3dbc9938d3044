"""Transpose alone: `python Transpose_64e96ca97455.py [--threads N] [--json]`.

Benchmark 64e96ca9745565ca12586e342896b57887fb6f56da459c2b9fda986b4d852172,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('64e96ca9745565ca12586e342896b57887fb6f56da459c2b9fda986b4d852172', SUITE, sys.argv[1:]))
