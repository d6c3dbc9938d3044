"""Conv_Add_Relu alone: `python Conv_Add_Relu_6b0529202d56.py [--threads N] [--json]`.

Benchmark 6b0529202d562ed0ff11dd7a7c2c72514682591d228db01ae657dc8e0b11629a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b0529202d562ed0ff11dd7a7c2c72514682591d228db01ae657dc8e0b11629a', SUITE, sys.argv[1:]))
