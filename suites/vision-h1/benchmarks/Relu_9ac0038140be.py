"""Relu alone: `python Relu_9ac0038140be.py [--threads N] [--json]`.

Benchmark 9ac0038140bef49824371c1dba14cf79cef07ee526c5553c7e5ff267dd3fa550,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9ac0038140bef49824371c1dba14cf79cef07ee526c5553c7e5ff267dd3fa550', SUITE, sys.argv[1:]))
