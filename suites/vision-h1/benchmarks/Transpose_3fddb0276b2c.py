"""Transpose alone: `python Transpose_3fddb0276b2c.py [--threads N] [--json]`.

Benchmark 3fddb0276b2c6a76c8a2d82c0a1c356a8b59ccb476f360952a19c796b25c8040,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3fddb0276b2c6a76c8a2d82c0a1c356a8b59ccb476f360952a19c796b25c8040', SUITE, sys.argv[1:]))
