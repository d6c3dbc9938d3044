"""BatchNormalization alone: `python BatchNormalization_a61dd7ddc5b0.py [--threads N] [--json]`.

Benchmark a61dd7ddc5b0c9838a81d232e11722c6597825825dea7572370d64ab88b3baea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a61dd7ddc5b0c9838a81d232e11722c6597825825dea7572370d64ab88b3baea', SUITE, sys.argv[1:]))
