"""MatMul alone: `python MatMul_3995a23ab223.py [--threads N] [--json]`.

Benchmark 3995a23ab223cbbf10f89643d609e44984c38c3108cf1e363db5b3b778ee86d4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3995a23ab223cbbf10f89643d609e44984c38c3108cf1e363db5b3b778ee86d4', SUITE, sys.argv[1:]))
