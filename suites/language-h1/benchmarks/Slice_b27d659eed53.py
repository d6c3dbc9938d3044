"""Slice alone: `python Slice_b27d659eed53.py [--threads N] [--json]`.

Benchmark b27d659eed5313173125db759693cc5bc9c9e03b0fbc0a17093c71b956618d72,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b27d659eed5313173125db759693cc5bc9c9e03b0fbc0a17093c71b956618d72', SUITE, sys.argv[1:]))
