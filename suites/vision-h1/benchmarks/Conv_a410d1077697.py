"""Conv alone: `python Conv_a410d1077697.py [--threads N] [--json]`.

Benchmark a410d107769713bc68d1e09925455aef8a3345e71374d4e21a08e9d11e70204c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a410d107769713bc68d1e09925455aef8a3345e71374d4e21a08e9d11e70204c', SUITE, sys.argv[1:]))
