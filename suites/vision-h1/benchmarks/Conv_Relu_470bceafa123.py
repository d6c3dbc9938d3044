"""Conv_Relu alone: `python Conv_Relu_470bceafa123.py [--threads N] [--json]`.

Benchmark 470bceafa123af8aae424b9593fc413aad11f9851a3b5693882464dc73bb4833,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('470bceafa123af8aae424b9593fc413aad11f9851a3b5693882464dc73bb4833', SUITE, sys.argv[1:]))
