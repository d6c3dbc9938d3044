"""Gemm_HardSwish alone: `python Gemm_HardSwish_2166a233b82d.py [--threads N] [--json]`.

Benchmark 2166a233b82d938ecfa561d1aa07b9a690541fe42157508b09250c655e7c0b1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2166a233b82d938ecfa561d1aa07b9a690541fe42157508b09250c655e7c0b1f', SUITE, sys.argv[1:]))
