"""Transpose alone: `python Transpose_f31d67813b65.py [--threads N] [--json]`.

Benchmark f31d67813b6594cfd22b587c1eb4e1d3a2c50135bdd4277443c647607d037cfc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f31d67813b6594cfd22b587c1eb4e1d3a2c50135bdd4277443c647607d037cfc', SUITE, sys.argv[1:]))
