"""MatMul_Add alone: `python MatMul_Add_5de3511add40.py [--threads N] [--json]`.

Benchmark 5de3511add408457d1a8f510b9b06c9afc55d4e9d45b5b4fd915196fb4132691,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5de3511add408457d1a8f510b9b06c9afc55d4e9d45b5b4fd915196fb4132691', SUITE, sys.argv[1:]))
