"""Conv alone: `python Conv_c209526d053d.py [--threads N] [--json]`.

Benchmark c209526d053d98e431d4db031ae0400df28e14d983aa6e66ff3bbfbbb4b06681,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c209526d053d98e431d4db031ae0400df28e14d983aa6e66ff3bbfbbb4b06681', SUITE, sys.argv[1:]))
