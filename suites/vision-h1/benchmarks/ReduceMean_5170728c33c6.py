"""ReduceMean alone: `python ReduceMean_5170728c33c6.py [--threads N] [--json]`.

Benchmark 5170728c33c649de52780c58fc069c96df2d713596f523bd431a4b03c4915384,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5170728c33c649de52780c58fc069c96df2d713596f523bd431a4b03c4915384', SUITE, sys.argv[1:]))
