"""ReduceMean alone: `python ReduceMean_e86f8e9c89a4.py [--threads N] [--json]`.

Benchmark e86f8e9c89a4aa1eac028410428ea3f3254245334df0d6cf20257d6583e5b877,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e86f8e9c89a4aa1eac028410428ea3f3254245334df0d6cf20257d6583e5b877', SUITE, sys.argv[1:]))
