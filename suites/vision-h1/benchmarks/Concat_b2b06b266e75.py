"""Concat alone: `python Concat_b2b06b266e75.py [--threads N] [--json]`.

Benchmark b2b06b266e753ee466c16436eff7d21a035570f7450366ecadb25390b2b39072,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b2b06b266e753ee466c16436eff7d21a035570f7450366ecadb25390b2b39072', SUITE, sys.argv[1:]))
