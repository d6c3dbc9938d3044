"""AveragePool alone: `python AveragePool_a6abd470a420.py [--threads N] [--json]`.

Benchmark a6abd470a420c810ca4c3413ec28e95ba2cff1b39937cbfdea227973c877e71e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a6abd470a420c810ca4c3413ec28e95ba2cff1b39937cbfdea227973c877e71e', SUITE, sys.argv[1:]))
