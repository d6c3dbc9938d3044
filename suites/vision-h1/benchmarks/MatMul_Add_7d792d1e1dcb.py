"""MatMul_Add alone: `python MatMul_Add_7d792d1e1dcb.py [--threads N] [--json]`.

Benchmark 7d792d1e1dcb69275a1f0498db871029884bf5933a84d3824ef43a1f86f861be,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7d792d1e1dcb69275a1f0498db871029884bf5933a84d3824ef43a1f86f861be', SUITE, sys.argv[1:]))
