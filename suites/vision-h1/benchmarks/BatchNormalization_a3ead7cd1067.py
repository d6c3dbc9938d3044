"""BatchNormalization alone: `python BatchNormalization_a3ead7cd1067.py [--threads N] [--json]`.

Benchmark a3ead7cd1067bec1da7306d5ad78624efbb14021383a040d538e5b100eea1908,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3ead7cd1067bec1da7306d5ad78624efbb14021383a040d538e5b100eea1908', SUITE, sys.argv[1:]))
