"""Conv_Relu alone: `python Conv_Relu_559b0aaf3a9e.py [--threads N] [--json]`.

Benchmark 559b0aaf3a9e70aba6a35963f032e62665e44300484536fafd576202127cc325,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('559b0aaf3a9e70aba6a35963f032e62665e44300484536fafd576202127cc325', SUITE, sys.argv[1:]))
