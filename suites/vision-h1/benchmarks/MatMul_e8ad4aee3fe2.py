"""MatMul alone: `python MatMul_e8ad4aee3fe2.py [--threads N] [--json]`.

Benchmark e8ad4aee3fe2e731805dced1321887f1388f2004f5bd981643bb99d5439d1cb8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8ad4aee3fe2e731805dced1321887f1388f2004f5bd981643bb99d5439d1cb8', SUITE, sys.argv[1:]))
