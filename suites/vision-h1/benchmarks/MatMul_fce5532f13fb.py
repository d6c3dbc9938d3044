"""MatMul alone: `python MatMul_fce5532f13fb.py [--threads N] [--json]`.

Benchmark fce5532f13fb6d6a9a0e13b5293ab7d3dfe285da3d981d7fe6b653a38a3c3712,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fce5532f13fb6d6a9a0e13b5293ab7d3dfe285da3d981d7fe6b653a38a3c3712', SUITE, sys.argv[1:]))
