"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_6ae0ae42d070.py [--threads N] [--json]`.

Benchmark 6ae0ae42d070b9444051f0eb9f2eb335d80dcab2ba92c9185f6b0addff5188f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ae0ae42d070b9444051f0eb9f2eb335d80dcab2ba92c9185f6b0addff5188f2', SUITE, sys.argv[1:]))
