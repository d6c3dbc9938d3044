"""Concat alone: `python Concat_493cc783c1f8.py [--threads N] [--json]`.

Benchmark 493cc783c1f8a5299fe9004b93651696cc5a04bf70c1efdc2c9c341514a7dc5f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('493cc783c1f8a5299fe9004b93651696cc5a04bf70c1efdc2c9c341514a7dc5f', SUITE, sys.argv[1:]))
