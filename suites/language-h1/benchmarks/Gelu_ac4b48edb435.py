"""Gelu alone: `python Gelu_ac4b48edb435.py [--threads N] [--json]`.

Benchmark ac4b48edb4353643d3fd5130e06cd67d3047ec079f33922b2f181b541185c51b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac4b48edb4353643d3fd5130e06cd67d3047ec079f33922b2f181b541185c51b', SUITE, sys.argv[1:]))
