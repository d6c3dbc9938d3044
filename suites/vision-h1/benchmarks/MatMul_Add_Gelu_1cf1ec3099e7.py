"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_1cf1ec3099e7.py [--threads N] [--json]`.

Benchmark 1cf1ec3099e7b46d6e414825757ac3425a90417a89dfe52db633451317db7332,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cf1ec3099e7b46d6e414825757ac3425a90417a89dfe52db633451317db7332', SUITE, sys.argv[1:]))
