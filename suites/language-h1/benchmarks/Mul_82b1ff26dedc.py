"""Mul alone: `python Mul_82b1ff26dedc.py [--threads N] [--json]`.

Benchmark 82b1ff26dedcff359a55278563bac7f74de5b8e160d154b5871e1c7961140475,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82b1ff26dedcff359a55278563bac7f74de5b8e160d154b5871e1c7961140475', SUITE, sys.argv[1:]))
