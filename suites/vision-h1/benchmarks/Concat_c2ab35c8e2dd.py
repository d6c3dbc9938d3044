"""Concat alone: `python Concat_c2ab35c8e2dd.py [--threads N] [--json]`.

Benchmark c2ab35c8e2ddfa2496fb4127148df4ebdb4be363537001e8a170369cf391398a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c2ab35c8e2ddfa2496fb4127148df4ebdb4be363537001e8a170369cf391398a', SUITE, sys.argv[1:]))
