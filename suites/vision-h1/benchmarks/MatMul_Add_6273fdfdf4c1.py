"""MatMul_Add alone: `python MatMul_Add_6273fdfdf4c1.py [--threads N] [--json]`.

Benchmark 6273fdfdf4c14c651b3bf3462d719e869024b4897a8fe129ae9125a0ec6fde4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6273fdfdf4c14c651b3bf3462d719e869024b4897a8fe129ae9125a0ec6fde4f', SUITE, sys.argv[1:]))
