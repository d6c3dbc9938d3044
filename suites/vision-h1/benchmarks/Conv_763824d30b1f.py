"""Conv alone: `python Conv_763824d30b1f.py [--threads N] [--json]`.

Benchmark 763824d30b1f0ba1e393b33fe0bd0ee88292a6c3a77e78e86a4da253c91049f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('763824d30b1f0ba1e393b33fe0bd0ee88292a6c3a77e78e86a4da253c91049f7', SUITE, sys.argv[1:]))
