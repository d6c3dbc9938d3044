"""MatMul_Add alone: `python MatMul_Add_490d53fb074b.py [--threads N] [--json]`.

Benchmark 490d53fb074b0d83d889b332e635d4b62a2a97ebf95e79358aaeea650d97d20c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('490d53fb074b0d83d889b332e635d4b62a2a97ebf95e79358aaeea650d97d20c', SUITE, sys.argv[1:]))
