"""Concat alone: `python Concat_65e309f16ce5.py [--threads N] [--json]`.

Benchmark 65e309f16ce543ceaca8065fc0cf90e34038c1723eafa312781d8b906bd32000,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('65e309f16ce543ceaca8065fc0cf90e34038c1723eafa312781d8b906bd32000', SUITE, sys.argv[1:]))
