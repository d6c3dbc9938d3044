"""Gather alone: `python Gather_49ea527df9b9.py [--threads N] [--json]`.

Benchmark 49ea527df9b9834fc902192d36c46f234ace92f759c5450c911317686f37b3c0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('49ea527df9b9834fc902192d36c46f234ace92f759c5450c911317686f37b3c0', SUITE, sys.argv[1:]))
