"""LayerNormalization alone: `python LayerNormalization_3d94b86ce6e9.py [--threads N] [--json]`.

Benchmark 3d94b86ce6e9da3450eeb370b434555e62408d7ea5a1ed50bace249a13ea4bea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3d94b86ce6e9da3450eeb370b434555e62408d7ea5a1ed50bace249a13ea4bea', SUITE, sys.argv[1:]))
