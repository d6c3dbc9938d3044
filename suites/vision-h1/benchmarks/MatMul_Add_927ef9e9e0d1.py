"""MatMul_Add alone: `python MatMul_Add_927ef9e9e0d1.py [--threads N] [--json]`.

Benchmark 927ef9e9e0d1b457e9ce10704d8c96113ac9bac2df533d35f403a4867e25f1a4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('927ef9e9e0d1b457e9ce10704d8c96113ac9bac2df533d35f403a4867e25f1a4', SUITE, sys.argv[1:]))
