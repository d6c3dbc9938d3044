"""Conv alone: `python Conv_4b0747e2a98d.py [--threads N] [--json]`.

Benchmark 4b0747e2a98dd13c6a3b7b96dc503e1945f4d014fd7cd2f29a09cdbda578d38d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b0747e2a98dd13c6a3b7b96dc503e1945f4d014fd7cd2f29a09cdbda578d38d', SUITE, sys.argv[1:]))
