"""Conv alone: `python Conv_fa99baa46d62.py [--threads N] [--json]`.

Benchmark fa99baa46d629fb2ba252f746906b4ff8123b99c526d40a5ec634fc547812c34,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa99baa46d629fb2ba252f746906b4ff8123b99c526d40a5ec634fc547812c34', SUITE, sys.argv[1:]))
