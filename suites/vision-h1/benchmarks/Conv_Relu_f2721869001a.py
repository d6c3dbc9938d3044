"""Conv_Relu alone: `python Conv_Relu_f2721869001a.py [--threads N] [--json]`.

Benchmark f2721869001a07de6043c69a9a2d0e72e58810282f5e8fc6a88136a27d5e08f9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f2721869001a07de6043c69a9a2d0e72e58810282f5e8fc6a88136a27d5e08f9', SUITE, sys.argv[1:]))
