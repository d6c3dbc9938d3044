"""Mul alone: `python Mul_c7c415ec70ef.py [--threads N] [--json]`.

Benchmark c7c415ec70eff736e24cffd573119be548a18a4c0d56eb56534ed1542000f139,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c7c415ec70eff736e24cffd573119be548a18a4c0d56eb56534ed1542000f139', SUITE, sys.argv[1:]))
