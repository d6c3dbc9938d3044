"""MatMul alone: `python MatMul_f86a477fb0b1.py [--threads N] [--json]`.

Benchmark f86a477fb0b1d13654137612429f823d9d7f67012a7e595e78e60345c1e6d437,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f86a477fb0b1d13654137612429f823d9d7f67012a7e595e78e60345c1e6d437', SUITE, sys.argv[1:]))
