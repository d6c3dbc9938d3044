"""BatchNormalization alone: `python BatchNormalization_6a9ac89ea2fb.py [--threads N] [--json]`.

Benchmark 6a9ac89ea2fbc1daa3711f0cbfad3dd493edda0c4d627928cf2e3e36c6e2a364,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6a9ac89ea2fbc1daa3711f0cbfad3dd493edda0c4d627928cf2e3e36c6e2a364', SUITE, sys.argv[1:]))
