"""Sigmoid_Mul alone: `python Sigmoid_Mul_dfd2f2fe667a.py [--threads N] [--json]`.

Benchmark dfd2f2fe667a246ad9320b6c229240dbc8d0d24f888f29133c07bb7a8d3ceb7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dfd2f2fe667a246ad9320b6c229240dbc8d0d24f888f29133c07bb7a8d3ceb7e', SUITE, sys.argv[1:]))
