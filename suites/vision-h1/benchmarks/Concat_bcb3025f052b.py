"""Concat alone: `python Concat_bcb3025f052b.py [--threads N] [--json]`.

Benchmark bcb3025f052b77e2aa5cee076d5b51d3b97fc4eb648c67670b565c6cdba80702,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcb3025f052b77e2aa5cee076d5b51d3b97fc4eb648c67670b565c6cdba80702', SUITE, sys.argv[1:]))
