"""ReduceMean alone: `python ReduceMean_ce3174d6b4b3.py [--threads N] [--json]`.

Benchmark ce3174d6b4b344a09ca7cda171b9260cafc7e0c5badcd7dacaef99c1fd0c93b5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ce3174d6b4b344a09ca7cda171b9260cafc7e0c5badcd7dacaef99c1fd0c93b5', SUITE, sys.argv[1:]))
