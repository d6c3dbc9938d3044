"""Conv_Relu alone: `python Conv_Relu_34cbc244deb7.py [--threads N] [--json]`.

Benchmark 34cbc244deb74b181935ac9ddc6705f7ac3cc782ad96d14035118394ff423b36,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34cbc244deb74b181935ac9ddc6705f7ac3cc782ad96d14035118394ff423b36', SUITE, sys.argv[1:]))
