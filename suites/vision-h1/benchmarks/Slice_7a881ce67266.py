"""Slice alone: `python Slice_7a881ce67266.py [--threads N] [--json]`.

Benchmark 7a881ce672669494ef02dfc8f4ae4f913fa0dc7b9b63886904b62b61823ccb20,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7a881ce672669494ef02dfc8f4ae4f913fa0dc7b9b63886904b62b61823ccb20', SUITE, sys.argv[1:]))
