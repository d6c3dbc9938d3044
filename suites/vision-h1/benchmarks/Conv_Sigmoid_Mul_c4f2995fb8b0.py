"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_c4f2995fb8b0.py [--threads N] [--json]`.

Benchmark c4f2995fb8b02b83d69b78aa3178d0e2ad3e93aecf6ab6c18ce0aefb0e1d2e3f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c4f2995fb8b02b83d69b78aa3178d0e2ad3e93aecf6ab6c18ce0aefb0e1d2e3f', SUITE, sys.argv[1:]))
