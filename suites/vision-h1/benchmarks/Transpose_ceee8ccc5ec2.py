"""Transpose alone: `python Transpose_ceee8ccc5ec2.py [--threads N] [--json]`.

Benchmark ceee8ccc5ec270ba075157a58e1bef0d6371f15c0fca502ddee340e6bdb6a5bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ceee8ccc5ec270ba075157a58e1bef0d6371f15c0fca502ddee340e6bdb6a5bc', SUITE, sys.argv[1:]))
