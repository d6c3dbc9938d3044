"""Conv alone: `python Conv_dc6727d2761c.py [--threads N] [--json]`.

Benchmark dc6727d2761c7b5ec8402d687c53d16a9b7393e919b9627f66a034f517beb8b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dc6727d2761c7b5ec8402d687c53d16a9b7393e919b9627f66a034f517beb8b9', SUITE, sys.argv[1:]))
