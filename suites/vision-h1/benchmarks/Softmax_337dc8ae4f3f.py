"""Softmax alone: `python Softmax_337dc8ae4f3f.py [--threads N] [--json]`.

Benchmark 337dc8ae4f3feaa4ff438ce3e39144f0b20343e45850b1a0293e6952a20bd82d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('337dc8ae4f3feaa4ff438ce3e39144f0b20343e45850b1a0293e6952a20bd82d', SUITE, sys.argv[1:]))
