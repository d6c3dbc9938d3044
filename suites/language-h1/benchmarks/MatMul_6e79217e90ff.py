"""MatMul alone: `python MatMul_6e79217e90ff.py [--threads N] [--json]`.

Benchmark 6e79217e90ff907af39322aa2bb70eebd30a1e6d8719f9b174e78a6b1245ace4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e79217e90ff907af39322aa2bb70eebd30a1e6d8719f9b174e78a6b1245ace4', SUITE, sys.argv[1:]))
