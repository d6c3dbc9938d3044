"""Conv alone: `python Conv_110bf1689f54.py [--threads N] [--json]`.

Benchmark 110bf1689f54c6a72a8e3115d3ac4e92dcb79e8d1e0079db15d95d552fabb01b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('110bf1689f54c6a72a8e3115d3ac4e92dcb79e8d1e0079db15d95d552fabb01b', SUITE, sys.argv[1:]))
