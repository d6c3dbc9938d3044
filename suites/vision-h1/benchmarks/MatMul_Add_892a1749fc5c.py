"""MatMul_Add alone: `python MatMul_Add_892a1749fc5c.py [--threads N] [--json]`.

Benchmark 892a1749fc5c475a95373e847e573039676f82dca514ed7b51cc9ef126dafac6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('892a1749fc5c475a95373e847e573039676f82dca514ed7b51cc9ef126dafac6', SUITE, sys.argv[1:]))
