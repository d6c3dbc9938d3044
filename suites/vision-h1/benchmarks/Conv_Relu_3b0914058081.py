"""Conv_Relu alone: `python Conv_Relu_3b0914058081.py [--threads N] [--json]`.

Benchmark 3b0914058081cee3bc370b77a826ad69cf8aab19a1c0b1bede36eeaa6f3cd05f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b0914058081cee3bc370b77a826ad69cf8aab19a1c0b1bede36eeaa6f3cd05f', SUITE, sys.argv[1:]))
