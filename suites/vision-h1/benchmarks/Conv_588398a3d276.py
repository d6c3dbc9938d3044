"""Conv alone: `python Conv_588398a3d276.py [--threads N] [--json]`.

Benchmark 588398a3d2766a77920d849a69c4da1e9e1478161221340c2f8e7f72b30c5466,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('588398a3d2766a77920d849a69c4da1e9e1478161221340c2f8e7f72b30c5466', SUITE, sys.argv[1:]))
