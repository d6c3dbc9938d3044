"""Conv alone: `python Conv_eba0d4b1bd8e.py [--threads N] [--json]`.

Benchmark eba0d4b1bd8ef8b1425963d1d155beb5cc427e512d9c5183e97871da72a8e9ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eba0d4b1bd8ef8b1425963d1d155beb5cc427e512d9c5183e97871da72a8e9ea', SUITE, sys.argv[1:]))
