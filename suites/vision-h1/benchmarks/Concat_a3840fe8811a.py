"""Concat alone: `python Concat_a3840fe8811a.py [--threads N] [--json]`.

Benchmark a3840fe8811abca41f7e1afce4c67f2596a9bb17c1de664250412aac9a9458c3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3840fe8811abca41f7e1afce4c67f2596a9bb17c1de664250412aac9a9458c3', SUITE, sys.argv[1:]))
