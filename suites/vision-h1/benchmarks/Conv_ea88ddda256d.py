"""Conv alone: `python Conv_ea88ddda256d.py [--threads N] [--json]`.

Benchmark ea88ddda256d96e351fcf9b27604eb3aa935db0cf93c0c63e37c944c8ca4c159,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea88ddda256d96e351fcf9b27604eb3aa935db0cf93c0c63e37c944c8ca4c159', SUITE, sys.argv[1:]))
