"""MatMul_Add alone: `python MatMul_Add_9b642cb475d0.py [--threads N] [--json]`.

Benchmark 9b642cb475d083d38785df726281121dd9047ed4a248cd2738faafa05300287c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b642cb475d083d38785df726281121dd9047ed4a248cd2738faafa05300287c', SUITE, sys.argv[1:]))
