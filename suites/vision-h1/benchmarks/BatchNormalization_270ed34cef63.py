"""BatchNormalization alone: `python BatchNormalization_270ed34cef63.py [--threads N] [--json]`.

Benchmark 270ed34cef635145eb24107a423f1ea9f60aa8328497fffb0da96a11eeba83f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('270ed34cef635145eb24107a423f1ea9f60aa8328497fffb0da96a11eeba83f2', SUITE, sys.argv[1:]))
