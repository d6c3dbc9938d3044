"""MatMul alone: `python MatMul_81fb6deb3764.py [--threads N] [--json]`.

Benchmark 81fb6deb3764ee759809c30b6d00a93b17d955564be9ed495f11d5bd25f1270a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('81fb6deb3764ee759809c30b6d00a93b17d955564be9ed495f11d5bd25f1270a', SUITE, sys.argv[1:]))
