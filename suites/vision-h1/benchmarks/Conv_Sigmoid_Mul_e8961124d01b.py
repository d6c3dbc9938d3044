"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_e8961124d01b.py [--threads N] [--json]`.

Benchmark e8961124d01b1ee4f24545b5607007f60c725dd6841f34d4d11625fee11c94b1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8961124d01b1ee4f24545b5607007f60c725dd6841f34d4d11625fee11c94b1', SUITE, sys.argv[1:]))
