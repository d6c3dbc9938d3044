"""Conv alone: `python Conv_7df4be5014c1.py [--threads N] [--json]`.

Benchmark 7df4be5014c1253db0c9df8731850b0979953b840fde28334c7fd8d1cd91fab4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7df4be5014c1253db0c9df8731850b0979953b840fde28334c7fd8d1cd91fab4', SUITE, sys.argv[1:]))
