"""Slice alone: `python Slice_9e96372dd6fa.py [--threads N] [--json]`.

Benchmark 9e96372dd6faea2bd257b7da06da7b205e1dae1216911105474522bce4992b52,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e96372dd6faea2bd257b7da06da7b205e1dae1216911105474522bce4992b52', SUITE, sys.argv[1:]))
