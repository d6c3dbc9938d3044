"""AveragePool alone: `python AveragePool_f4977b1cd26e.py [--threads N] [--json]`.

Benchmark f4977b1cd26e19f982054efc0d8ee5f9491c6b26113e45c5039dbc7a3e886b30,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4977b1cd26e19f982054efc0d8ee5f9491c6b26113e45c5039dbc7a3e886b30', SUITE, sys.argv[1:]))
