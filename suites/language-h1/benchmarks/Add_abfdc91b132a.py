"""Add alone: `python Add_abfdc91b132a.py [--threads N] [--json]`.

Benchmark abfdc91b132a59e163591e80e4907a952d49843c860b48f3a2f8cbd3fe7553f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abfdc91b132a59e163591e80e4907a952d49843c860b48f3a2f8cbd3fe7553f0', SUITE, sys.argv[1:]))
