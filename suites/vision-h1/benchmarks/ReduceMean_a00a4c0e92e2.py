"""ReduceMean alone: `python ReduceMean_a00a4c0e92e2.py [--threads N] [--json]`.

Benchmark a00a4c0e92e253a8821ab586433cdebaeda98426272feba110d172a63161d093,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a00a4c0e92e253a8821ab586433cdebaeda98426272feba110d172a63161d093', SUITE, sys.argv[1:]))
