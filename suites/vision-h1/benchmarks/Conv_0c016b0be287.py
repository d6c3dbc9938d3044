"""Conv alone: `python Conv_0c016b0be287.py [--threads N] [--json]`.

Benchmark 0c016b0be287177e0435f9208181c28e235b0101a42d578902ff6caf2bfe4bf4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c016b0be287177e0435f9208181c28e235b0101a42d578902ff6caf2bfe4bf4', SUITE, sys.argv[1:]))
