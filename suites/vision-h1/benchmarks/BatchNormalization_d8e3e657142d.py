"""BatchNormalization alone: `python BatchNormalization_d8e3e657142d.py [--threads N] [--json]`.

Benchmark d8e3e657142d0f3c1f67e9940533ef2f18e3abe5e23ee3916454bf3472cbd5bf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d8e3e657142d0f3c1f67e9940533ef2f18e3abe5e23ee3916454bf3472cbd5bf', SUITE, sys.argv[1:]))
