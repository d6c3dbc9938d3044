"""Concat alone: `python Concat_3a85e896658a.py [--threads N] [--json]`.

Benchmark 3a85e896658ae72efdaa377989f71c0e87d79455034c83f60bf4112d842b9b1b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a85e896658ae72efdaa377989f71c0e87d79455034c83f60bf4112d842b9b1b', SUITE, sys.argv[1:]))
