"""Conv_Relu alone: `python Conv_Relu_c151197cef58.py [--threads N] [--json]`.

Benchmark c151197cef586752ceb6a97478bd436fd4cde181d9dffb3be29427f9f78dfe21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c151197cef586752ceb6a97478bd436fd4cde181d9dffb3be29427f9f78dfe21', SUITE, sys.argv[1:]))
