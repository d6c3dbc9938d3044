"""Conv_Add_Relu alone: `python Conv_Add_Relu_9b295d1ca6c1.py [--threads N] [--json]`.

Benchmark 9b295d1ca6c1e3adc1d4574f03ad55dfea288ddb232da842201ccd474a715409,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b295d1ca6c1e3adc1d4574f03ad55dfea288ddb232da842201ccd474a715409', SUITE, sys.argv[1:]))
