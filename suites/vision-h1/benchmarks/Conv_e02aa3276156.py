"""Conv alone: `python Conv_e02aa3276156.py [--threads N] [--json]`.

Benchmark e02aa327615654b1166a15fae5a4898be370dcc19a3dc6d78d9578542ca89ff0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e02aa327615654b1166a15fae5a4898be370dcc19a3dc6d78d9578542ca89ff0', SUITE, sys.argv[1:]))
