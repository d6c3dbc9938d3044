"""Conv_Relu alone: `python Conv_Relu_b37a07e6a054.py [--threads N] [--json]`.

Benchmark b37a07e6a0541d3344b0f7e55dd83d5d5cfbaf28b451ba8553cc36e198d80126,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b37a07e6a0541d3344b0f7e55dd83d5d5cfbaf28b451ba8553cc36e198d80126', SUITE, sys.argv[1:]))
