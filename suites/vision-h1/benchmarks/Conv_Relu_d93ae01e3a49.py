"""Conv_Relu alone: `python Conv_Relu_d93ae01e3a49.py [--threads N] [--json]`.

Benchmark d93ae01e3a49abb4fe1b2ffbbe3e164bed0fd15f9882a73af9c5e079953f431f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d93ae01e3a49abb4fe1b2ffbbe3e164bed0fd15f9882a73af9c5e079953f431f', SUITE, sys.argv[1:]))
