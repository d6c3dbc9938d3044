"""Conv_Add alone: `python Conv_Add_b104a1c61364.py [--threads N] [--json]`.

Benchmark b104a1c613642c1885633b9887bc9fdc39f15f60d66bdd9d4b93b17cdf187a90,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b104a1c613642c1885633b9887bc9fdc39f15f60d66bdd9d4b93b17cdf187a90', SUITE, sys.argv[1:]))
