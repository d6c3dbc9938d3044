"""Conv alone: `python Conv_3ad18360257e.py [--threads N] [--json]`.

Benchmark 3ad18360257e417a54145a0c17de10e190dd3c297feac13811ca63e9e02be2f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ad18360257e417a54145a0c17de10e190dd3c297feac13811ca63e9e02be2f6', SUITE, sys.argv[1:]))
