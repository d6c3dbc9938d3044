"""BatchNormalization alone: `python BatchNormalization_124eef466b5c.py [--threads N] [--json]`.

Benchmark 124eef466b5c8ed194ea4ccbc2d5f4a79fd0b8211a75d75d2bd230499a76db83,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('124eef466b5c8ed194ea4ccbc2d5f4a79fd0b8211a75d75d2bd230499a76db83', SUITE, sys.argv[1:]))
