"""Conv_HardSwish alone: `python Conv_HardSwish_6f990adac771.py [--threads N] [--json]`.

Benchmark 6f990adac7710612521a275d87c692bf64ee9409d7d737f507f9a741bcc0da05,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6f990adac7710612521a275d87c692bf64ee9409d7d737f507f9a741bcc0da05', SUITE, sys.argv[1:]))
