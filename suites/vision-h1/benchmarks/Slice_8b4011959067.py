"""Slice alone: `python Slice_8b4011959067.py [--threads N] [--json]`.

Benchmark 8b4011959067254160becda12ae1347d129f0eeee5a1581ac8de7dfee64a4ce7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8b4011959067254160becda12ae1347d129f0eeee5a1581ac8de7dfee64a4ce7', SUITE, sys.argv[1:]))
