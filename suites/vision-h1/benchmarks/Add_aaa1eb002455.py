"""Add alone: `python Add_aaa1eb002455.py [--threads N] [--json]`.

Benchmark aaa1eb0024558c8562f2bf1e850d13178dca2948c5aa8a269d2ba1f8bdd92e8b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aaa1eb0024558c8562f2bf1e850d13178dca2948c5aa8a269d2ba1f8bdd92e8b', SUITE, sys.argv[1:]))
