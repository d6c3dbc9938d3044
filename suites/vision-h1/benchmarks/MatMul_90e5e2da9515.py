"""MatMul alone: `python MatMul_90e5e2da9515.py [--threads N] [--json]`.

Benchmark 90e5e2da9515ad385ddca69c39a885aea5df25c6c729b7a73e41299474d29cb6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('90e5e2da9515ad385ddca69c39a885aea5df25c6c729b7a73e41299474d29cb6', SUITE, sys.argv[1:]))
