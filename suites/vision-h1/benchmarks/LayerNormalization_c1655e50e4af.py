"""LayerNormalization alone: `python LayerNormalization_c1655e50e4af.py [--threads N] [--json]`.

Benchmark c1655e50e4af5299488d9173abbccbea56a9a8b273bcd9074ee18182f4ca62b2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c1655e50e4af5299488d9173abbccbea56a9a8b273bcd9074ee18182f4ca62b2', SUITE, sys.argv[1:]))
