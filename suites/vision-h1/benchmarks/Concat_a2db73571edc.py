"""Concat alone: `python Concat_a2db73571edc.py [--threads N] [--json]`.

Benchmark a2db73571edc93c556dc139854a33aec3df8250525f641815b2e1512816fdce5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a2db73571edc93c556dc139854a33aec3df8250525f641815b2e1512816fdce5', SUITE, sys.argv[1:]))
