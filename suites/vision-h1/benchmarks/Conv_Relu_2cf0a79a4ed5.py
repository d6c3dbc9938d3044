"""Conv_Relu alone: `python Conv_Relu_2cf0a79a4ed5.py [--threads N] [--json]`.

Benchmark 2cf0a79a4ed5499c432dd9741a845d0c4b0bc6ec9b981b5741725aed7fb62cac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2cf0a79a4ed5499c432dd9741a845d0c4b0bc6ec9b981b5741725aed7fb62cac', SUITE, sys.argv[1:]))
