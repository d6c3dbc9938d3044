"""Conv_Relu alone: `python Conv_Relu_0ae994b4ab9d.py [--threads N] [--json]`.

Benchmark 0ae994b4ab9df911f7e102d2d1e2188287be4d521e5e472e2271108c079062d1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ae994b4ab9df911f7e102d2d1e2188287be4d521e5e472e2271108c079062d1', SUITE, sys.argv[1:]))
