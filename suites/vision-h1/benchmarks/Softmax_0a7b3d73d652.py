"""Softmax alone: `python Softmax_0a7b3d73d652.py [--threads N] [--json]`.

Benchmark 0a7b3d73d652d99c17d5ad086317e7538c3e2cead19a22fc1220ba7aae1fbf82,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0a7b3d73d652d99c17d5ad086317e7538c3e2cead19a22fc1220ba7aae1fbf82', SUITE, sys.argv[1:]))
