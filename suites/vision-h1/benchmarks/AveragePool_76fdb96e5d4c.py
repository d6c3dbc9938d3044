"""AveragePool alone: `python AveragePool_76fdb96e5d4c.py [--threads N] [--json]`.

Benchmark 76fdb96e5d4c7ea15d2d20eb82fad0cfc1dafe0947e6df30fc9bf7dbe339a3e2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('76fdb96e5d4c7ea15d2d20eb82fad0cfc1dafe0947e6df30fc9bf7dbe339a3e2', SUITE, sys.argv[1:]))
