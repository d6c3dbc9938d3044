"""Softmax alone: `python Softmax_65d26131a34e.py [--threads N] [--json]`.

Benchmark 65d26131a34e04e8b0bd01080569db380993a41db580be57eede9514f93a72a0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65d26131a34e04e8b0bd01080569db380993a41db580be57eede9514f93a72a0', SUITE, sys.argv[1:]))
