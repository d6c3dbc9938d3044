"""Conv alone: `python Conv_aa9ef9514e61.py [--threads N] [--json]`.

Benchmark aa9ef9514e61c5a37523ecaca719c7bf1b805ff4a83a96b9e8d3d562f3c6c555,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aa9ef9514e61c5a37523ecaca719c7bf1b805ff4a83a96b9e8d3d562f3c6c555', SUITE, sys.argv[1:]))
