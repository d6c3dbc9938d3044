"""Conv alone: `python Conv_a0f2cade677a.py [--threads N] [--json]`.

Benchmark a0f2cade677a5a25d7dc8d93562fdef00082e49fadb1ec35a1b875008791b289,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a0f2cade677a5a25d7dc8d93562fdef00082e49fadb1ec35a1b875008791b289', SUITE, sys.argv[1:]))
