"""Conv_Relu alone: `python Conv_Relu_6d6ea891d13a.py [--threads N] [--json]`.

Benchmark 6d6ea891d13abf4ef0697f248f5bad6b5689753164b94965691f9db82f4a16fd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d6ea891d13abf4ef0697f248f5bad6b5689753164b94965691f9db82f4a16fd', SUITE, sys.argv[1:]))
