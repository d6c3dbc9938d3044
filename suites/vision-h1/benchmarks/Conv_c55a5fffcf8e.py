"""Conv alone: `python Conv_c55a5fffcf8e.py [--threads N] [--json]`.

Benchmark c55a5fffcf8eea375e45fba5a16bfe263bac7bb9d9a40e0e686f42a0c14e5640,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c55a5fffcf8eea375e45fba5a16bfe263bac7bb9d9a40e0e686f42a0c14e5640', SUITE, sys.argv[1:]))
