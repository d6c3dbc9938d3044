"""MaxPool alone: `python MaxPool_deee0372e274.py [--threads N] [--json]`.

Benchmark deee0372e2741abe288220426f9945aeb8bf18a37993104339a2bdd851531b48,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('deee0372e2741abe288220426f9945aeb8bf18a37993104339a2bdd851531b48', SUITE, sys.argv[1:]))
