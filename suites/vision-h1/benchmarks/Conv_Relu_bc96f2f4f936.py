"""Conv_Relu alone: `python Conv_Relu_bc96f2f4f936.py [--threads N] [--json]`.

Benchmark bc96f2f4f93607f72335bc7f5f56bf2f6e6ef50ce53331d45053635ccfed77b2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bc96f2f4f93607f72335bc7f5f56bf2f6e6ef50ce53331d45053635ccfed77b2', SUITE, sys.argv[1:]))
