"""Conv alone: `python Conv_9041bd6df2e8.py [--threads N] [--json]`.

Benchmark 9041bd6df2e8b54cb2c099c8d92f7d340cd2b32ce53d1dbc9729af24df2455fb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9041bd6df2e8b54cb2c099c8d92f7d340cd2b32ce53d1dbc9729af24df2455fb', SUITE, sys.argv[1:]))
