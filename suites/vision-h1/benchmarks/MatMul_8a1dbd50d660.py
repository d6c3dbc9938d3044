"""MatMul alone: `python MatMul_8a1dbd50d660.py [--threads N] [--json]`.

Benchmark 8a1dbd50d660c117e5ac0d42ad7c1e42d414ecbfe191d03ef56c1432db1dbe0a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8a1dbd50d660c117e5ac0d42ad7c1e42d414ecbfe191d03ef56c1432db1dbe0a', SUITE, sys.argv[1:]))
