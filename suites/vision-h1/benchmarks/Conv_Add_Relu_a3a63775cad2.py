"""Conv_Add_Relu alone: `python Conv_Add_Relu_a3a63775cad2.py [--threads N] [--json]`.

Benchmark a3a63775cad23f821daf2c1f619c44edc6eb5210e60d03ed9f21f0fd5e11413f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3a63775cad23f821daf2c1f619c44edc6eb5210e60d03ed9f21f0fd5e11413f', SUITE, sys.argv[1:]))
