"""Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul alone: `python Pow_ReduceMean_Add_Sqrt_Reciprocal_Mul_aedd158c89bc.py [--threads N] [--json]`.

Benchmark aedd158c89bce3f2eaebfa67c70d7f63c048a34ae9cdb76020b617dec2194519,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aedd158c89bce3f2eaebfa67c70d7f63c048a34ae9cdb76020b617dec2194519', SUITE, sys.argv[1:]))
