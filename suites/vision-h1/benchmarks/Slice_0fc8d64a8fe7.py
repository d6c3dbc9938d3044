"""Slice alone: `python Slice_0fc8d64a8fe7.py [--threads N] [--json]`.

Benchmark 0fc8d64a8fe70309c845faee8d36f4aae455fe05fbb587504b38507a079cf924,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0fc8d64a8fe70309c845faee8d36f4aae455fe05fbb587504b38507a079cf924', SUITE, sys.argv[1:]))
