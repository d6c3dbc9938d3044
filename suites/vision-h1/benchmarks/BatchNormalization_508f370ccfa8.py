"""BatchNormalization alone: `python BatchNormalization_508f370ccfa8.py [--threads N] [--json]`.

Benchmark 508f370ccfa87188fcdb68d67d0aad2b59e66f15fe7424f02ffd504eaf23a9ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('508f370ccfa87188fcdb68d67d0aad2b59e66f15fe7424f02ffd504eaf23a9ea', SUITE, sys.argv[1:]))
