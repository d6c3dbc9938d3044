"""Transpose alone: `python Transpose_93917be7e80c.py [--threads N] [--json]`.

Benchmark 93917be7e80cd178b63f20ee9f8d8340a32d325ab2963f05bbbb73ea64c040d9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('93917be7e80cd178b63f20ee9f8d8340a32d325ab2963f05bbbb73ea64c040d9', SUITE, sys.argv[1:]))
