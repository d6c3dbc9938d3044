"""Gather alone: `python Gather_d4244d00203b.py [--threads N] [--json]`.

Benchmark d4244d00203b141f4411793d549984eda7a7c12c0a39fd3e7c7cf50d9633f192,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d4244d00203b141f4411793d549984eda7a7c12c0a39fd3e7c7cf50d9633f192', SUITE, sys.argv[1:]))
