"""Conv alone: `python Conv_24b4b03a4be6.py [--threads N] [--json]`.

Benchmark 24b4b03a4be6e111857d090abddb4aea92468b6189c1abc9bb559e1c3caede3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('24b4b03a4be6e111857d090abddb4aea92468b6189c1abc9bb559e1c3caede3a', SUITE, sys.argv[1:]))
