"""Conv_Add_Relu alone: `python Conv_Add_Relu_7d75342d6f7a.py [--threads N] [--json]`.

Benchmark 7d75342d6f7ad9ae3aeca77821c3a8767bea00e6e8433d98e831984a90366f3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7d75342d6f7ad9ae3aeca77821c3a8767bea00e6e8433d98e831984a90366f3c', SUITE, sys.argv[1:]))
