"""Conv_Relu alone: `python Conv_Relu_c5a4e4db31c4.py [--threads N] [--json]`.

Benchmark c5a4e4db31c491b4ad4c718cddb3200c9d6335e9b4d1612cf24fac12e1e7f7df,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c5a4e4db31c491b4ad4c718cddb3200c9d6335e9b4d1612cf24fac12e1e7f7df', SUITE, sys.argv[1:]))
