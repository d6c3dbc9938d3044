"""Conv alone: `python Conv_93d9db3f53fd.py [--threads N] [--json]`.

Benchmark 93d9db3f53fdf1442c1d395b0c857d03cb9ebbab826a1ec73a3cdf0eff3f23a8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('93d9db3f53fdf1442c1d395b0c857d03cb9ebbab826a1ec73a3cdf0eff3f23a8', SUITE, sys.argv[1:]))
