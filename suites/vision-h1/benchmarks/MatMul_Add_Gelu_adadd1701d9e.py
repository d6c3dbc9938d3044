"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_adadd1701d9e.py [--threads N] [--json]`.

Benchmark adadd1701d9e792251c2a3f86c8ae7a3e181096677acb9843fd4257084028e18,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('adadd1701d9e792251c2a3f86c8ae7a3e181096677acb9843fd4257084028e18', SUITE, sys.argv[1:]))
