"""MatMul alone: `python MatMul_03f5595c0e79.py [--threads N] [--json]`.

Benchmark 03f5595c0e79a5f46140b7b268dd08cd1877613122a7cc3f3e8c23cf234c5ea2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03f5595c0e79a5f46140b7b268dd08cd1877613122a7cc3f3e8c23cf234c5ea2', SUITE, sys.argv[1:]))
