"""MatMul_Add alone: `python MatMul_Add_27f8180c8b9a.py [--threads N] [--json]`.

Benchmark 27f8180c8b9abb77cb932320a3b7463349234e93ede537dc48a808ba7fc3e17d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('27f8180c8b9abb77cb932320a3b7463349234e93ede537dc48a808ba7fc3e17d', SUITE, sys.argv[1:]))
