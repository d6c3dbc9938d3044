"""HardSwish alone: `python HardSwish_13b7e07c6228.py [--threads N] [--json]`.

Benchmark 13b7e07c622860872e5a13ac5815abb001c20837d1713b0de59f7ecf41343349,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('13b7e07c622860872e5a13ac5815abb001c20837d1713b0de59f7ecf41343349', SUITE, sys.argv[1:]))
