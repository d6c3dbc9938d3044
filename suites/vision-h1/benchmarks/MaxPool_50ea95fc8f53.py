"""MaxPool alone: `python MaxPool_50ea95fc8f53.py [--threads N] [--json]`.

Benchmark 50ea95fc8f536ce2d84af4f41db59e51db79107a92b9ab6f7e401bf3196e5878,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50ea95fc8f536ce2d84af4f41db59e51db79107a92b9ab6f7e401bf3196e5878', SUITE, sys.argv[1:]))
