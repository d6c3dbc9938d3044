"""Conv alone: `python Conv_974d73f7f6c9.py [--threads N] [--json]`.

Benchmark 974d73f7f6c915d64008d0030a1507c48d69e4ed7142f6ba13b6b42ebd93349d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('974d73f7f6c915d64008d0030a1507c48d69e4ed7142f6ba13b6b42ebd93349d', SUITE, sys.argv[1:]))
