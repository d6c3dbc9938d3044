"""Conv_Sigmoid alone: `python Conv_Sigmoid_a952944e77ad.py [--threads N] [--json]`.

Benchmark a952944e77ad9bea11d037d6ae91fe664e41bbaf0328117b646eb6063a7a0e79,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a952944e77ad9bea11d037d6ae91fe664e41bbaf0328117b646eb6063a7a0e79', SUITE, sys.argv[1:]))
