"""Conv_Relu alone: `python Conv_Relu_cae44b616319.py [--threads N] [--json]`.

Benchmark cae44b616319ebba3e472fb08ada718aa8236047a67dc4deac3675a3ed4199a5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cae44b616319ebba3e472fb08ada718aa8236047a67dc4deac3675a3ed4199a5', SUITE, sys.argv[1:]))
