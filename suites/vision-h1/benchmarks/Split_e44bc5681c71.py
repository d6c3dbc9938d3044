"""Split alone: `python Split_e44bc5681c71.py [--threads N] [--json]`.

Benchmark e44bc5681c7110763a80f26118382e146984d283c0795b469cb17a3e153f2205,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e44bc5681c7110763a80f26118382e146984d283c0795b469cb17a3e153f2205', SUITE, sys.argv[1:]))
