"""ReduceMean alone: `python ReduceMean_a949b6e30b27.py [--threads N] [--json]`.

Benchmark a949b6e30b2784d00bf70c742435cf73fbc2463662f051de60a547a8de106398,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a949b6e30b2784d00bf70c742435cf73fbc2463662f051de60a547a8de106398', SUITE, sys.argv[1:]))
