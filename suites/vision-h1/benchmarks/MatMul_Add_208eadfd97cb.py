"""MatMul_Add alone: `python MatMul_Add_208eadfd97cb.py [--threads N] [--json]`.

Benchmark 208eadfd97cb8d7d4772a6ee23293ef78072f6ff9c38f78c2385cd2747525b3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('208eadfd97cb8d7d4772a6ee23293ef78072f6ff9c38f78c2385cd2747525b3a', SUITE, sys.argv[1:]))
