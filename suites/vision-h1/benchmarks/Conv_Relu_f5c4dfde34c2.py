"""Conv_Relu alone: `python Conv_Relu_f5c4dfde34c2.py [--threads N] [--json]`.

Benchmark f5c4dfde34c243521e6064c411c7acd384bdf9db1926520556ca093614f9bd7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5c4dfde34c243521e6064c411c7acd384bdf9db1926520556ca093614f9bd7a', SUITE, sys.argv[1:]))
