"""Clip alone: `python Clip_822660c4a0ae.py [--threads N] [--json]`.

Benchmark 822660c4a0aee0a6d234c919a460a43749f2f1a11499ffc9c2576359d46929f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('822660c4a0aee0a6d234c919a460a43749f2f1a11499ffc9c2576359d46929f7', SUITE, sys.argv[1:]))
