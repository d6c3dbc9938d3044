"""Gather alone: `python Gather_be4b2593ef29.py [--threads N] [--json]`.

Benchmark be4b2593ef29c444c3e649691ab87dfc559d130793c2fea952e8c852871ff70a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('be4b2593ef29c444c3e649691ab87dfc559d130793c2fea952e8c852871ff70a', SUITE, sys.argv[1:]))
