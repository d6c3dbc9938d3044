"""Div alone: `python Div_a897cbff335c.py [--threads N] [--json]`.

Benchmark a897cbff335c4564091f7f5be4eb05fea197bbe100cb76dadc97a18e486e8582,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a897cbff335c4564091f7f5be4eb05fea197bbe100cb76dadc97a18e486e8582', SUITE, sys.argv[1:]))
