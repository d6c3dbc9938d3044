"""Add alone: `python Add_789f976fb2fe.py [--threads N] [--json]`.

Benchmark 789f976fb2fe4bb0d742e902eac6a6ec4628c89c681ac960fd090716e0fb603a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('789f976fb2fe4bb0d742e902eac6a6ec4628c89c681ac960fd090716e0fb603a', SUITE, sys.argv[1:]))
