"""LayerNormalization alone: `python LayerNormalization_523b2100086e.py [--threads N] [--json]`.

Benchmark 523b2100086e4a375d9aa627f053e02be0fb7d570a5764592b2776b6bc58ae0e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('523b2100086e4a375d9aa627f053e02be0fb7d570a5764592b2776b6bc58ae0e', SUITE, sys.argv[1:]))
