"""Gemm alone: `python Gemm_f0e569518cb6.py [--threads N] [--json]`.

Benchmark f0e569518cb6eefe961d5aa1d70b1d2811bdd3d8813bc97703e925a00e807a68,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f0e569518cb6eefe961d5aa1d70b1d2811bdd3d8813bc97703e925a00e807a68', SUITE, sys.argv[1:]))
