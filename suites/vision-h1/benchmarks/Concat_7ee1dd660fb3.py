"""Concat alone: `python Concat_7ee1dd660fb3.py [--threads N] [--json]`.

Benchmark 7ee1dd660fb32cf582b651aff5109d9de829d3565694026acfc79f3d1bbc3cbe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7ee1dd660fb32cf582b651aff5109d9de829d3565694026acfc79f3d1bbc3cbe', SUITE, sys.argv[1:]))
