"""Slice alone: `python Slice_41c7ee7ca8a6.py [--threads N] [--json]`.

Benchmark 41c7ee7ca8a698af7dfed4bb371d005b0a6bff00a9fc267e7aada002136a733b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('41c7ee7ca8a698af7dfed4bb371d005b0a6bff00a9fc267e7aada002136a733b', SUITE, sys.argv[1:]))
