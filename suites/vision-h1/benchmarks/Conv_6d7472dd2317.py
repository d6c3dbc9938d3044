"""Conv alone: `python Conv_6d7472dd2317.py [--threads N] [--json]`.

Benchmark 6d7472dd2317c3017f3e642ceb25b796ffedc19a6a0089f6290c38173a2f756b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d7472dd2317c3017f3e642ceb25b796ffedc19a6a0089f6290c38173a2f756b', SUITE, sys.argv[1:]))
