"""BatchNormalization alone: `python BatchNormalization_0f26ec69ea9e.py [--threads N] [--json]`.

Benchmark 0f26ec69ea9e8041e51e55f8b6dff09e0d83867181df861c14c7e1fdf26bbb57,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f26ec69ea9e8041e51e55f8b6dff09e0d83867181df861c14c7e1fdf26bbb57', SUITE, sys.argv[1:]))
