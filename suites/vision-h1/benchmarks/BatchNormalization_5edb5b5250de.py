"""BatchNormalization alone: `python BatchNormalization_5edb5b5250de.py [--threads N] [--json]`.

Benchmark 5edb5b5250de3033da5ccbc5e243074bb7bcffbcc07787d677008a8e2ce9fa18,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5edb5b5250de3033da5ccbc5e243074bb7bcffbcc07787d677008a8e2ce9fa18', SUITE, sys.argv[1:]))
