"""MatMul_Add alone: `python MatMul_Add_58f70362cf1c.py [--threads N] [--json]`.

Benchmark 58f70362cf1ce6c471d461ffef4f0d3ae59d77b591ab41e4b009dbf0825a5a00,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('58f70362cf1ce6c471d461ffef4f0d3ae59d77b591ab41e4b009dbf0825a5a00', SUITE, sys.argv[1:]))
