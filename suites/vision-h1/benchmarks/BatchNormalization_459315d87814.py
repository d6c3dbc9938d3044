"""BatchNormalization alone: `python BatchNormalization_459315d87814.py [--threads N] [--json]`.

Benchmark 459315d87814d062ac5c7dfbec4845d4c52aa5dbb009015a92749ac88dc3dd3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('459315d87814d062ac5c7dfbec4845d4c52aa5dbb009015a92749ac88dc3dd3a', SUITE, sys.argv[1:]))
