"""Concat alone: `python Concat_3d8443a3afae.py [--threads N] [--json]`.

Benchmark 3d8443a3afaef41c6c0c8e8b6c1b19efc493bae53ed9f4a09c352c5956186441,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d8443a3afaef41c6c0c8e8b6c1b19efc493bae53ed9f4a09c352c5956186441', SUITE, sys.argv[1:]))
