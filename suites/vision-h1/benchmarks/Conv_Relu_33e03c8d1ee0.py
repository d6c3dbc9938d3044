"""Conv_Relu alone: `python Conv_Relu_33e03c8d1ee0.py [--threads N] [--json]`.

Benchmark 33e03c8d1ee0ea44bba9a53bbf4df42fc95b592b8aa200623edab5c220663687,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('33e03c8d1ee0ea44bba9a53bbf4df42fc95b592b8aa200623edab5c220663687', SUITE, sys.argv[1:]))
