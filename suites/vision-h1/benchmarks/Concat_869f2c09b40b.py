"""Concat alone: `python Concat_869f2c09b40b.py [--threads N] [--json]`.

Benchmark 869f2c09b40b75c0738c2279536a68775981b5d567c3468ea9b9c0434eedb029,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('869f2c09b40b75c0738c2279536a68775981b5d567c3468ea9b9c0434eedb029', SUITE, sys.argv[1:]))
