"""Conv_Relu alone: `python Conv_Relu_b8bb544575d3.py [--threads N] [--json]`.

Benchmark b8bb544575d3e8cf47915556c3a0e5b5f3e1f9ee91d9cea6721684d195332dd5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b8bb544575d3e8cf47915556c3a0e5b5f3e1f9ee91d9cea6721684d195332dd5', SUITE, sys.argv[1:]))
