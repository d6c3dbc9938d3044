"""Conv alone: `python Conv_fce48fe6fab3.py [--threads N] [--json]`.

Benchmark fce48fe6fab3d7d2691980202fa65ef8eeded67bd5ddefef728298d3b52af146,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fce48fe6fab3d7d2691980202fa65ef8eeded67bd5ddefef728298d3b52af146', SUITE, sys.argv[1:]))
