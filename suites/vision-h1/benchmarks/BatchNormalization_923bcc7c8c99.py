"""BatchNormalization alone: `python BatchNormalization_923bcc7c8c99.py [--threads N] [--json]`.

Benchmark 923bcc7c8c99c73060b0b429955b7242899d9e82406e783662b67e42a21f07b9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('923bcc7c8c99c73060b0b429955b7242899d9e82406e783662b67e42a21f07b9', SUITE, sys.argv[1:]))
