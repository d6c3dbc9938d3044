"""MatMul alone: `python MatMul_8dd99f83826e.py [--threads N] [--json]`.

Benchmark 8dd99f83826ea2d668c5bb9c567bcad53b945ee07e9aabca5800f83bf85ee002,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8dd99f83826ea2d668c5bb9c567bcad53b945ee07e9aabca5800f83bf85ee002', SUITE, sys.argv[1:]))
