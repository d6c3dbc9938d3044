"""Conv_Relu alone: `python Conv_Relu_fa254afa5bff.py [--threads N] [--json]`.

Benchmark fa254afa5bffe38238510dace4f1c822e2d810327ebca2e82033ef9db5b77b1f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fa254afa5bffe38238510dace4f1c822e2d810327ebca2e82033ef9db5b77b1f', SUITE, sys.argv[1:]))
