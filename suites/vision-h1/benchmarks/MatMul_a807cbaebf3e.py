"""MatMul alone: `python MatMul_a807cbaebf3e.py [--threads N] [--json]`.

Benchmark a807cbaebf3e900973a0be7b7b92b5f5537f4d6b26dff6123f113e6049c80c48,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a807cbaebf3e900973a0be7b7b92b5f5537f4d6b26dff6123f113e6049c80c48', SUITE, sys.argv[1:]))
