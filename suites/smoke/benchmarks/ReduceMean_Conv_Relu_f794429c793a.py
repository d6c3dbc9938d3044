"""ReduceMean_Conv_Relu alone: `python ReduceMean_Conv_Relu_f794429c793a.py [--threads N] [--json]`.

Benchmark f794429c793a29e2a46ebed51e76a7574727d81fbd39d05a3a45691bfe6e2b42,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f794429c793a29e2a46ebed51e76a7574727d81fbd39d05a3a45691bfe6e2b42', SUITE, sys.argv[1:]))
