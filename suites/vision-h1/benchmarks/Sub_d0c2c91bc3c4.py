"""Sub alone: `python Sub_d0c2c91bc3c4.py [--threads N] [--json]`.

Benchmark d0c2c91bc3c429480eba2acba497562f4ffaa712b24eebda252a1e221e3d1da3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d0c2c91bc3c429480eba2acba497562f4ffaa712b24eebda252a1e221e3d1da3', SUITE, sys.argv[1:]))
