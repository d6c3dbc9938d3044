"""Conv_Relu alone: `python Conv_Relu_a0f5e1e73bd6.py [--threads N] [--json]`.

Benchmark a0f5e1e73bd6cfc86fafb1164b1934fd727004e18c2db73212cd4223eff8a192,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a0f5e1e73bd6cfc86fafb1164b1934fd727004e18c2db73212cd4223eff8a192', SUITE, sys.argv[1:]))
