"""Conv_Relu alone: `python Conv_Relu_96626d073057.py [--threads N] [--json]`.

Benchmark 96626d073057b48965c8cc2861f2f235750eb864955fb25430c333b357c6d4ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96626d073057b48965c8cc2861f2f235750eb864955fb25430c333b357c6d4ea', SUITE, sys.argv[1:]))
