"""Transpose alone: `python Transpose_5181067a0483.py [--threads N] [--json]`.

Benchmark 5181067a0483d72afff2aecf3dfabb063dd7b975e6f6c0c718d06e6b99dddec1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5181067a0483d72afff2aecf3dfabb063dd7b975e6f6c0c718d06e6b99dddec1', SUITE, sys.argv[1:]))
