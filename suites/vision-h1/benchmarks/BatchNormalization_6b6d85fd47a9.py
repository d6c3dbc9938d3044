"""BatchNormalization alone: `python BatchNormalization_6b6d85fd47a9.py [--threads N] [--json]`.

Benchmark 6b6d85fd47a94166c8934c32369d002ee35b134807fbce8bf48b9d09c0b6fec4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b6d85fd47a94166c8934c32369d002ee35b134807fbce8bf48b9d09c0b6fec4', SUITE, sys.argv[1:]))
