"""Conv_Relu alone: `python Conv_Relu_b451ee1b6780.py [--threads N] [--json]`.

Benchmark b451ee1b6780702e44d45c80f8c468ea927ca1ab4508b751d3b603d6d3735862,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b451ee1b6780702e44d45c80f8c468ea927ca1ab4508b751d3b603d6d3735862', SUITE, sys.argv[1:]))
