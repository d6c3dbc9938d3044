"""Gather alone: `python Gather_a3edea4c9458.py [--threads N] [--json]`.

Benchmark a3edea4c9458cdb188f043ff83b37deafc8df8714099b9d4ae0754cd05423b8a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3edea4c9458cdb188f043ff83b37deafc8df8714099b9d4ae0754cd05423b8a', SUITE, sys.argv[1:]))
