"""Conv alone: `python Conv_dd34698227c0.py [--threads N] [--json]`.

Benchmark dd34698227c0578281edcce9218e9a92f9c679301841bd1467546fc71a64c537,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd34698227c0578281edcce9218e9a92f9c679301841bd1467546fc71a64c537', SUITE, sys.argv[1:]))
