"""Conv alone: `python Conv_19e3d9b312a7.py [--threads N] [--json]`.

Benchmark 19e3d9b312a7ab4bb94e60b99e6cbda1fb4d851b3e22f589b17d82d5b47ec085,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('19e3d9b312a7ab4bb94e60b99e6cbda1fb4d851b3e22f589b17d82d5b47ec085', SUITE, sys.argv[1:]))
