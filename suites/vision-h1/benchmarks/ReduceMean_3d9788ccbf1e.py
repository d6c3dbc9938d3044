"""ReduceMean alone: `python ReduceMean_3d9788ccbf1e.py [--threads N] [--json]`.

Benchmark 3d9788ccbf1e7e085bed3360a9084c9ebccf1457ea36f64c08f63db63043c2d3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d9788ccbf1e7e085bed3360a9084c9ebccf1457ea36f64c08f63db63043c2d3', SUITE, sys.argv[1:]))
