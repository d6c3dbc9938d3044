"""Add alone: `python Add_ac0ad3dcb6ea.py [--threads N] [--json]`.

Benchmark ac0ad3dcb6ea74086ef785c7a960dd70743c6403f4efa2cf8d68b2a06e2f5f38,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac0ad3dcb6ea74086ef785c7a960dd70743c6403f4efa2cf8d68b2a06e2f5f38', SUITE, sys.argv[1:]))
