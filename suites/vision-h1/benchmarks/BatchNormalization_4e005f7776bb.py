"""BatchNormalization alone: `python BatchNormalization_4e005f7776bb.py [--threads N] [--json]`.

Benchmark 4e005f7776bb33d1329ce3d0946a28e85625deae39c76a7a62ee3687bf642d09,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4e005f7776bb33d1329ce3d0946a28e85625deae39c76a7a62ee3687bf642d09', SUITE, sys.argv[1:]))
