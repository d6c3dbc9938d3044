"""Concat alone: `python Concat_85ca16fc3703.py [--threads N] [--json]`.

Benchmark 85ca16fc3703f8c34cd2c971491e1d022eb9a762a64ada368dac3464c6c234a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('85ca16fc3703f8c34cd2c971491e1d022eb9a762a64ada368dac3464c6c234a3', SUITE, sys.argv[1:]))
