"""ReduceMean alone: `python ReduceMean_88aedee4400e.py [--threads N] [--json]`.

Benchmark 88aedee4400ea8904c89e07b05b36018cde2e59299bd3485bb5e1ee03bb833af,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88aedee4400ea8904c89e07b05b36018cde2e59299bd3485bb5e1ee03bb833af', SUITE, sys.argv[1:]))
