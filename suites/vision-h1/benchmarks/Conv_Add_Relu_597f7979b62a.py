"""Conv_Add_Relu alone: `python Conv_Add_Relu_597f7979b62a.py [--threads N] [--json]`.

Benchmark 597f7979b62a0db6a5f6c59d85e0ff52e4f9a5eeb3e2f0362bb6b5704a0568bc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('597f7979b62a0db6a5f6c59d85e0ff52e4f9a5eeb3e2f0362bb6b5704a0568bc', SUITE, sys.argv[1:]))
