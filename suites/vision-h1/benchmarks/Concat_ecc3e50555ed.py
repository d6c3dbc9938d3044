"""Concat alone: `python Concat_ecc3e50555ed.py [--threads N] [--json]`.

Benchmark ecc3e50555ed38e13694faf80f3c1a1d5316db8870355bc10d0667a5aa760c3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ecc3e50555ed38e13694faf80f3c1a1d5316db8870355bc10d0667a5aa760c3c', SUITE, sys.argv[1:]))
