"""BatchNormalization alone: `python BatchNormalization_3c83457b44ad.py [--threads N] [--json]`.

Benchmark 3c83457b44ad85b95fe05242756e8919add35d1acea20f79f1133a8d69cdf669,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3c83457b44ad85b95fe05242756e8919add35d1acea20f79f1133a8d69cdf669', SUITE, sys.argv[1:]))
