"""Relu alone: `python Relu_5d949555e6cc.py [--threads N] [--json]`.

Benchmark 5d949555e6cce2ddcb58627f26d21b513a3d41d6e575adde19f96276585f6261,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5d949555e6cce2ddcb58627f26d21b513a3d41d6e575adde19f96276585f6261', SUITE, sys.argv[1:]))
