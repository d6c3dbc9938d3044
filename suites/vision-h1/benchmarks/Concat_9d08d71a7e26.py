"""Concat alone: `python Concat_9d08d71a7e26.py [--threads N] [--json]`.

Benchmark 9d08d71a7e26e7c83ed75ffdf320f5c532da6bdb0913e50d24a2e587078c5424,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9d08d71a7e26e7c83ed75ffdf320f5c532da6bdb0913e50d24a2e587078c5424', SUITE, sys.argv[1:]))
