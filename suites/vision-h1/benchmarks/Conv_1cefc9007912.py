"""Conv alone: `python Conv_1cefc9007912.py [--threads N] [--json]`.

Benchmark 1cefc9007912a0b9d51eb26eef5cc801114a99e8f917a1f24830d2fa6a4551e4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cefc9007912a0b9d51eb26eef5cc801114a99e8f917a1f24830d2fa6a4551e4', SUITE, sys.argv[1:]))
