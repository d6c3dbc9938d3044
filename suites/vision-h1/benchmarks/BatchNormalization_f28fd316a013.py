"""BatchNormalization alone: `python BatchNormalization_f28fd316a013.py [--threads N] [--json]`.

Benchmark f28fd316a013931fbf4f8c06c7ea5bfb153c3297bfc96156476de20dd1ce3adb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f28fd316a013931fbf4f8c06c7ea5bfb153c3297bfc96156476de20dd1ce3adb', SUITE, sys.argv[1:]))
