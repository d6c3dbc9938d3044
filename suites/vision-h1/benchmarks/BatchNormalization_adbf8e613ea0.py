"""BatchNormalization alone: `python BatchNormalization_adbf8e613ea0.py [--threads N] [--json]`.

Benchmark adbf8e613ea0d67b49aa3511aa4d88e52edcadf5701cc3042b704f2b80c47434,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('adbf8e613ea0d67b49aa3511aa4d88e52edcadf5701cc3042b704f2b80c47434', SUITE, sys.argv[1:]))
