"""Conv alone: `python Conv_213601bedff5.py [--threads N] [--json]`.

Benchmark 213601bedff513e2b415daddac20a19755430d0d4b5786015df9f88211475e04,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('213601bedff513e2b415daddac20a19755430d0d4b5786015df9f88211475e04', SUITE, sys.argv[1:]))
