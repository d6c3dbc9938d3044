"""Slice alone: `python Slice_e76ee7134396.py [--threads N] [--json]`.

Benchmark e76ee7134396e22fb6c5fac9e35756bca5e862fa218eb5dd604eb53ca9064483,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e76ee7134396e22fb6c5fac9e35756bca5e862fa218eb5dd604eb53ca9064483', SUITE, sys.argv[1:]))
