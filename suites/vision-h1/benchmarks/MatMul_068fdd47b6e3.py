"""MatMul alone: `python MatMul_068fdd47b6e3.py [--threads N] [--json]`.

Benchmark 068fdd47b6e34818eef5a31fadf651690d3b655bfb128d165e66100ebd51783b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('068fdd47b6e34818eef5a31fadf651690d3b655bfb128d165e66100ebd51783b', SUITE, sys.argv[1:]))
