"""MatMul alone: `python MatMul_b240602e8513.py [--threads N] [--json]`.

Benchmark b240602e8513f2f65a9635f06b837faeae4a1533474dd8e7f1f64c585c0df1e9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b240602e8513f2f65a9635f06b837faeae4a1533474dd8e7f1f64c585c0df1e9', SUITE, sys.argv[1:]))
