"""Concat alone: `python Concat_24841b844c14.py [--threads N] [--json]`.

Benchmark 24841b844c14c59138af5f7c15b391b61ed1c1c20c44916d886befacc664eb44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24841b844c14c59138af5f7c15b391b61ed1c1c20c44916d886befacc664eb44', SUITE, sys.argv[1:]))
