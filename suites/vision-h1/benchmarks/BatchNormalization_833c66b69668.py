"""BatchNormalization alone: `python BatchNormalization_833c66b69668.py [--threads N] [--json]`.

Benchmark 833c66b6966875d86d818903478234cfd16e7c7512641cdcc918b76dbeb275a0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('833c66b6966875d86d818903478234cfd16e7c7512641cdcc918b76dbeb275a0', SUITE, sys.argv[1:]))
