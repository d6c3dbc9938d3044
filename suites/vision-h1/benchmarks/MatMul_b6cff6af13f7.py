"""MatMul alone: `python MatMul_b6cff6af13f7.py [--threads N] [--json]`.

Benchmark b6cff6af13f79d56f74e8c822e529554d5876d3f065dfe1f7585ffb8d7bdef65,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6cff6af13f79d56f74e8c822e529554d5876d3f065dfe1f7585ffb8d7bdef65', SUITE, sys.argv[1:]))
