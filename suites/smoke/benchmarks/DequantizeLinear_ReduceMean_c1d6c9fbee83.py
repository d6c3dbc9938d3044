"""DequantizeLinear_ReduceMean alone: `python DequantizeLinear_ReduceMean_c1d6c9fbee83.py [--threads N] [--json]`.

Benchmark c1d6c9fbee833cd92a1246b22c88263789f96c1c1c375bb44457f7348313987a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c1d6c9fbee833cd92a1246b22c88263789f96c1c1c375bb44457f7348313987a', SUITE, sys.argv[1:]))
