"""MatMul alone: `python MatMul_72b70ac9a0cf.py [--threads N] [--json]`.

Benchmark 72b70ac9a0cf1beef62c3448b8f88c9b21a5801595f776cfa893f5e509039727,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('72b70ac9a0cf1beef62c3448b8f88c9b21a5801595f776cfa893f5e509039727', SUITE, sys.argv[1:]))
