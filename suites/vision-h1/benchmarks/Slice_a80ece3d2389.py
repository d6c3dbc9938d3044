"""Slice alone: `python Slice_a80ece3d2389.py [--threads N] [--json]`.

Benchmark a80ece3d23892f164de81c15c877ee32d37d721fec0efa0d996855afa93bba58,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a80ece3d23892f164de81c15c877ee32d37d721fec0efa0d996855afa93bba58', SUITE, sys.argv[1:]))
