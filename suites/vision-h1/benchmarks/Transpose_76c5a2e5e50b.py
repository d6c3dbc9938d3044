"""Transpose alone: `python Transpose_76c5a2e5e50b.py [--threads N] [--json]`.

Benchmark 76c5a2e5e50b4046df573765aa742997081fd41f9886539a2017eafe0d20ced3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('76c5a2e5e50b4046df573765aa742997081fd41f9886539a2017eafe0d20ced3', SUITE, sys.argv[1:]))
