"""Transpose alone: `python Transpose_0f00c3a50f2e.py [--threads N] [--json]`.

Benchmark 0f00c3a50f2e8fdf33be182027594e3387f0b7750c276a9b3db84b0c645234e1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f00c3a50f2e8fdf33be182027594e3387f0b7750c276a9b3db84b0c645234e1', SUITE, sys.argv[1:]))
