"""Resize alone: `python Resize_4e3efdc7ff53.py [--threads N] [--json]`.

Benchmark 4e3efdc7ff53e3eccf28fff92977158fddc673f700a4eb8329774f3e88d3ea73,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4e3efdc7ff53e3eccf28fff92977158fddc673f700a4eb8329774f3e88d3ea73', SUITE, sys.argv[1:]))
