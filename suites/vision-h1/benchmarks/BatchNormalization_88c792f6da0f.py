"""BatchNormalization alone: `python BatchNormalization_88c792f6da0f.py [--threads N] [--json]`.

Benchmark 88c792f6da0f3814016e41327b44ac715a6b4c83e11774bb76217cebecb4b697,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88c792f6da0f3814016e41327b44ac715a6b4c83e11774bb76217cebecb4b697', SUITE, sys.argv[1:]))
