"""Conv_Relu alone: `python Conv_Relu_ddb72ff96183.py [--threads N] [--json]`.

Benchmark ddb72ff96183ab36736e079cc948d78d288304bea6bc8037ab238d9cd52482cb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ddb72ff96183ab36736e079cc948d78d288304bea6bc8037ab238d9cd52482cb', SUITE, sys.argv[1:]))
