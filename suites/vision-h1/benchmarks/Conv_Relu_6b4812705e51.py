"""Conv_Relu alone: `python Conv_Relu_6b4812705e51.py [--threads N] [--json]`.

Benchmark 6b4812705e51ad6dd2c9435462042d096172b9c4ca68326ee8132774cae3b132,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b4812705e51ad6dd2c9435462042d096172b9c4ca68326ee8132774cae3b132', SUITE, sys.argv[1:]))
