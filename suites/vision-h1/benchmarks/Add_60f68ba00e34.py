"""Add alone: `python Add_60f68ba00e34.py [--threads N] [--json]`.

Benchmark 60f68ba00e34caf612e2082b03b15610537a0e08c2da9151f34761dfe7128fff,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('60f68ba00e34caf612e2082b03b15610537a0e08c2da9151f34761dfe7128fff', SUITE, sys.argv[1:]))
