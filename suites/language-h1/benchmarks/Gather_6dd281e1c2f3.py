"""Gather alone: `python Gather_6dd281e1c2f3.py [--threads N] [--json]`.

Benchmark 6dd281e1c2f393217fd1d88e5728a711bb01b5811d1b80604d6f75581f49bbb5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6dd281e1c2f393217fd1d88e5728a711bb01b5811d1b80604d6f75581f49bbb5', SUITE, sys.argv[1:]))
