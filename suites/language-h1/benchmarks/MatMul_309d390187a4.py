"""MatMul alone: `python MatMul_309d390187a4.py [--threads N] [--json]`.

Benchmark 309d390187a45e1a8c35f0e813180dfb6ae5554be19c31766412edefb4839ac1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('309d390187a45e1a8c35f0e813180dfb6ae5554be19c31766412edefb4839ac1', SUITE, sys.argv[1:]))
