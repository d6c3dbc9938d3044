"""Concat alone: `python Concat_75b1b04602a1.py [--threads N] [--json]`.

Benchmark 75b1b04602a10f34454f0f76da9e0c5dbd2228eb9c182c834efec465f459e558,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('75b1b04602a10f34454f0f76da9e0c5dbd2228eb9c182c834efec465f459e558', SUITE, sys.argv[1:]))
