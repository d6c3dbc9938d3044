"""MatMul alone: `python MatMul_3653f04a35ae.py [--threads N] [--json]`.

Benchmark 3653f04a35ae03e79cb262ad0fdb79b26fa8b82fd6386ac7c6da38cf45e0f28f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3653f04a35ae03e79cb262ad0fdb79b26fa8b82fd6386ac7c6da38cf45e0f28f', SUITE, sys.argv[1:]))
