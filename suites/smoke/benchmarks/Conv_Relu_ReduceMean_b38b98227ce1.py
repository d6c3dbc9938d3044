"""Conv_Relu_ReduceMean alone: `python Conv_Relu_ReduceMean_b38b98227ce1.py [--threads N] [--json]`.

Benchmark b38b98227ce1b1dbfd3826852f23fb40c8d2595e5d5fb3bd832bd420ba89d2b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b38b98227ce1b1dbfd3826852f23fb40c8d2595e5d5fb3bd832bd420ba89d2b0', SUITE, sys.argv[1:]))
