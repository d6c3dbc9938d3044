"""Concat alone: `python Concat_28f094c60ceb.py [--threads N] [--json]`.

Benchmark 28f094c60cebf4898e2a4d7a97496d83e0efb33c72e968968adef6f0d2651f53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('28f094c60cebf4898e2a4d7a97496d83e0efb33c72e968968adef6f0d2651f53', SUITE, sys.argv[1:]))
