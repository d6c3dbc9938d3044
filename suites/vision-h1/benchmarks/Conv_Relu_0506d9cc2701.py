"""Conv_Relu alone: `python Conv_Relu_0506d9cc2701.py [--threads N] [--json]`.

Benchmark 0506d9cc27010c5c372ef774125fc3689af0d39dd5cbe6053c9517b2716b7286,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0506d9cc27010c5c372ef774125fc3689af0d39dd5cbe6053c9517b2716b7286', SUITE, sys.argv[1:]))
