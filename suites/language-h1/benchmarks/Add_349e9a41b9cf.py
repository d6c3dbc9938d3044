"""Add alone: `python Add_349e9a41b9cf.py [--threads N] [--json]`.

Benchmark 349e9a41b9cf22ab5f38ea13649abae43fd2d1a5ecd875b7b98297bdadd455a9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('349e9a41b9cf22ab5f38ea13649abae43fd2d1a5ecd875b7b98297bdadd455a9', SUITE, sys.argv[1:]))
