"""MatMul_Add alone: `python MatMul_Add_c755796eed1c.py [--threads N] [--json]`.

Benchmark c755796eed1c7788b4cc4e79fbabea23096c937be85403d0765bedf18e8f7ebf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c755796eed1c7788b4cc4e79fbabea23096c937be85403d0765bedf18e8f7ebf', SUITE, sys.argv[1:]))
