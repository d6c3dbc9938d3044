"""Conv alone: `python Conv_abc4f3fee7c6.py [--threads N] [--json]`.

Benchmark abc4f3fee7c682085aa635ae03e646deb1148ce438f13bb94fc81604de675eac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abc4f3fee7c682085aa635ae03e646deb1148ce438f13bb94fc81604de675eac', SUITE, sys.argv[1:]))
