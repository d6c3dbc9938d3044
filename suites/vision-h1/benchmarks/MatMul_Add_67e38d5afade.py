"""MatMul_Add alone: `python MatMul_Add_67e38d5afade.py [--threads N] [--json]`.

Benchmark 67e38d5afade8a25adfc43f16cee5b52f64a4372c5777032432e38c60557aaf2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('67e38d5afade8a25adfc43f16cee5b52f64a4372c5777032432e38c60557aaf2', SUITE, sys.argv[1:]))
