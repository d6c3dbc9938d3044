"""MatMul alone: `python MatMul_d8484dcb02bd.py [--threads N] [--json]`.

Benchmark d8484dcb02bd8e822971583c28e2c6a4df89506cb0569fe50a1623eb9c743517,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8484dcb02bd8e822971583c28e2c6a4df89506cb0569fe50a1623eb9c743517', SUITE, sys.argv[1:]))
