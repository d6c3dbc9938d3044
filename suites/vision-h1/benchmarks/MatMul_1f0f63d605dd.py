"""MatMul alone: `python MatMul_1f0f63d605dd.py [--threads N] [--json]`.

Benchmark 1f0f63d605dd8470b006449c65e5de9ff5a25a847dae54ca81364a6e3d7f5002,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1f0f63d605dd8470b006449c65e5de9ff5a25a847dae54ca81364a6e3d7f5002', SUITE, sys.argv[1:]))
