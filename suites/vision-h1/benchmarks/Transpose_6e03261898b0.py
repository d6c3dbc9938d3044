"""Transpose alone: `python Transpose_6e03261898b0.py [--threads N] [--json]`.

Benchmark 6e03261898b09e761d48838a46ac17a211cc0af3e651ca3e8612b68133d98650,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e03261898b09e761d48838a46ac17a211cc0af3e651ca3e8612b68133d98650', SUITE, sys.argv[1:]))
