"""Gather_Transpose alone: `python Gather_Transpose_f5bc13558650.py [--threads N] [--json]`.

Benchmark f5bc13558650b57cadb913dc25dabf8c38afafac0551f701158510de842dbb4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5bc13558650b57cadb913dc25dabf8c38afafac0551f701158510de842dbb4c', SUITE, sys.argv[1:]))
