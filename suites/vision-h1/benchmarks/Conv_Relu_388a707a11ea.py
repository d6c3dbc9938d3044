"""Conv_Relu alone: `python Conv_Relu_388a707a11ea.py [--threads N] [--json]`.

Benchmark 388a707a11ea885357340297f1981edba247bdf59aa7e734385fcbb5173f1674,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('388a707a11ea885357340297f1981edba247bdf59aa7e734385fcbb5173f1674', SUITE, sys.argv[1:]))
