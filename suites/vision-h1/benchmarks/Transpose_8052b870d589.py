"""Transpose alone: `python Transpose_8052b870d589.py [--threads N] [--json]`.

Benchmark 8052b870d589f99be36805a5e8a0e39fe1e6d04bc25a7fbf2fe484e55d143843,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8052b870d589f99be36805a5e8a0e39fe1e6d04bc25a7fbf2fe484e55d143843', SUITE, sys.argv[1:]))
