"""Add alone: `python Add_9173b60ac257.py [--threads N] [--json]`.

Benchmark 9173b60ac257adaf399349b57f022c43c76b95214df28ea4e9ec4aa35c0bc6e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9173b60ac257adaf399349b57f022c43c76b95214df28ea4e9ec4aa35c0bc6e1', SUITE, sys.argv[1:]))
