"""Conv_Relu alone: `python Conv_Relu_a5f864694656.py [--threads N] [--json]`.

Benchmark a5f86469465617c4e1e08fa2a559fdea19c6394e82f399031779b28461a1732d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a5f86469465617c4e1e08fa2a559fdea19c6394e82f399031779b28461a1732d', SUITE, sys.argv[1:]))
