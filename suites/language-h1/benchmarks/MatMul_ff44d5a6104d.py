"""MatMul alone: `python MatMul_ff44d5a6104d.py [--threads N] [--json]`.

Benchmark ff44d5a6104dda9e6fb22aa99200b3e45ab6ebd407fe06975a93176fd232d074,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff44d5a6104dda9e6fb22aa99200b3e45ab6ebd407fe06975a93176fd232d074', SUITE, sys.argv[1:]))
