"""BatchNormalization alone: `python BatchNormalization_0f5da0f31927.py [--threads N] [--json]`.

Benchmark 0f5da0f31927366c3d869f36277ab4aa1b82732366fb38e7af042d75d0ff2a0f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f5da0f31927366c3d869f36277ab4aa1b82732366fb38e7af042d75d0ff2a0f', SUITE, sys.argv[1:]))
