"""MatMul_Add alone: `python MatMul_Add_4ea5eb31b993.py [--threads N] [--json]`.

Benchmark 4ea5eb31b9938df9b071fca2237ad7c71bd08bda509e3e3cb9401f7749eb6604,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4ea5eb31b9938df9b071fca2237ad7c71bd08bda509e3e3cb9401f7749eb6604', SUITE, sys.argv[1:]))
