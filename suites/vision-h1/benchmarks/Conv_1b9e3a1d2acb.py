"""Conv alone: `python Conv_1b9e3a1d2acb.py [--threads N] [--json]`.

Benchmark 1b9e3a1d2acb08aea63e929893c1724410285c84999f83059d512a0610989e21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b9e3a1d2acb08aea63e929893c1724410285c84999f83059d512a0610989e21', SUITE, sys.argv[1:]))
