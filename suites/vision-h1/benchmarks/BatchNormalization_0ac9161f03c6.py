"""BatchNormalization alone: `python BatchNormalization_0ac9161f03c6.py [--threads N] [--json]`.

Benchmark 0ac9161f03c66bed9cf5423ef7711078274b71a2fc5e140330141c7aa0eec1f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ac9161f03c66bed9cf5423ef7711078274b71a2fc5e140330141c7aa0eec1f3', SUITE, sys.argv[1:]))
