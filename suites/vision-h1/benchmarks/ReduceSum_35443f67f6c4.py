"""ReduceSum alone: `python ReduceSum_35443f67f6c4.py [--threads N] [--json]`.

Benchmark 35443f67f6c4225d2c94b299e0847f4bacaf54f8705478a5ba3001995a6b9a81,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('35443f67f6c4225d2c94b299e0847f4bacaf54f8705478a5ba3001995a6b9a81', SUITE, sys.argv[1:]))
