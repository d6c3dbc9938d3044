"""Conv_Relu alone: `python Conv_Relu_1738e3aee5ac.py [--threads N] [--json]`.

Benchmark 1738e3aee5ac6e3e6b84548ab8bec78033c7ca3d18cef06b26d434c0e5dfb989,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1738e3aee5ac6e3e6b84548ab8bec78033c7ca3d18cef06b26d434c0e5dfb989', SUITE, sys.argv[1:]))
