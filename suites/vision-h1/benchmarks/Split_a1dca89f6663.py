"""Split alone: `python Split_a1dca89f6663.py [--threads N] [--json]`.

Benchmark a1dca89f666371383078cd1b94c85bca56de973001e43a6e75bda56641a6eccb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a1dca89f666371383078cd1b94c85bca56de973001e43a6e75bda56641a6eccb', SUITE, sys.argv[1:]))
