"""BatchNormalization alone: `python BatchNormalization_a06a1f703295.py [--threads N] [--json]`.

Benchmark a06a1f703295c699d5db6b53df36fb88555da6680b714906cd489947fc72a574,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a06a1f703295c699d5db6b53df36fb88555da6680b714906cd489947fc72a574', SUITE, sys.argv[1:]))
