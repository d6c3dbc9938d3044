"""ReduceMean alone: `python ReduceMean_832159c3fdba.py [--threads N] [--json]`.

Benchmark 832159c3fdbaf39d72bfad1193a52b1c7036920d120048057ea7ee052483f0f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('832159c3fdbaf39d72bfad1193a52b1c7036920d120048057ea7ee052483f0f2', SUITE, sys.argv[1:]))
