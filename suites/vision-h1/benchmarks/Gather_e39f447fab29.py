"""Gather alone: `python Gather_e39f447fab29.py [--threads N] [--json]`.

Benchmark e39f447fab2965e9a73add339bc31f47ed1f3aca9c6657b6b6aaf6c54f35019d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e39f447fab2965e9a73add339bc31f47ed1f3aca9c6657b6b6aaf6c54f35019d', SUITE, sys.argv[1:]))
