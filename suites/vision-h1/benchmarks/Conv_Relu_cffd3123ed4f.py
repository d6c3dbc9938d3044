"""Conv_Relu alone: `python Conv_Relu_cffd3123ed4f.py [--threads N] [--json]`.

Benchmark cffd3123ed4f763de0c4204a5bf3156fec34a904cbdacb83ee81b2d6a9db1152,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cffd3123ed4f763de0c4204a5bf3156fec34a904cbdacb83ee81b2d6a9db1152', SUITE, sys.argv[1:]))
