"""MatMul alone: `python MatMul_3bc965b94ac4.py [--threads N] [--json]`.

Benchmark 3bc965b94ac4b1eb1f933efd4c32581cee41c4d3f4f9a4a27b21dd3ed858212c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3bc965b94ac4b1eb1f933efd4c32581cee41c4d3f4f9a4a27b21dd3ed858212c', SUITE, sys.argv[1:]))
