"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_582690494f31.py [--threads N] [--json]`.

Benchmark 582690494f314763180390630b6c83381dc6ebab85fe0b35b3973bcb28bb10f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('582690494f314763180390630b6c83381dc6ebab85fe0b35b3973bcb28bb10f3', SUITE, sys.argv[1:]))
