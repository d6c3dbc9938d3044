"""BatchNormalization alone: `python BatchNormalization_59ccffb17fe3.py [--threads N] [--json]`.

Benchmark 59ccffb17fe3d7117f807d9518b264010033b1aaafbe2639e3f51f8348ecf457,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59ccffb17fe3d7117f807d9518b264010033b1aaafbe2639e3f51f8348ecf457', SUITE, sys.argv[1:]))
