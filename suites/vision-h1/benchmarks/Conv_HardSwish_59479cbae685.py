"""Conv_HardSwish alone: `python Conv_HardSwish_59479cbae685.py [--threads N] [--json]`.

Benchmark 59479cbae685ef8f9d8570a0eb9efcc997978057b56adde13f64d76006d7027d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('59479cbae685ef8f9d8570a0eb9efcc997978057b56adde13f64d76006d7027d', SUITE, sys.argv[1:]))
