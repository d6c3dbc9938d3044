"""Transpose alone: `python Transpose_03b50428cd81.py [--threads N] [--json]`.

Benchmark 03b50428cd81e67eb25d812b0c74daaeaca7655c8f7d6d124c9520793199766c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03b50428cd81e67eb25d812b0c74daaeaca7655c8f7d6d124c9520793199766c', SUITE, sys.argv[1:]))
