"""MatMul_Add alone: `python MatMul_Add_b7afd0b9c9f1.py [--threads N] [--json]`.

Benchmark b7afd0b9c9f1a8db3a6e6eaa0667f226c8a368a127bf1f47d1db8b3f7bffa5dc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b7afd0b9c9f1a8db3a6e6eaa0667f226c8a368a127bf1f47d1db8b3f7bffa5dc', SUITE, sys.argv[1:]))
