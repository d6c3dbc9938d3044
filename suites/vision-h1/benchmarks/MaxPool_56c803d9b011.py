"""MaxPool alone: `python MaxPool_56c803d9b011.py [--threads N] [--json]`.

Benchmark 56c803d9b011a9a0e362097f1c7067a8fc11daff8237b2a6930ca24bf44e4ab7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('56c803d9b011a9a0e362097f1c7067a8fc11daff8237b2a6930ca24bf44e4ab7', SUITE, sys.argv[1:]))
