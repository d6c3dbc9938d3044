"""MatMul_Add_Gelu alone: `python MatMul_Add_Gelu_7fffd095d1a2.py [--threads N] [--json]`.

Benchmark 7fffd095d1a263f1a5bb8b981a63eeb0a3e72102d110ecd08b081a0d1dc02922,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7fffd095d1a263f1a5bb8b981a63eeb0a3e72102d110ecd08b081a0d1dc02922', SUITE, sys.argv[1:]))
