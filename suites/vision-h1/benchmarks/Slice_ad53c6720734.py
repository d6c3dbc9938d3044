"""Slice alone: `python Slice_ad53c6720734.py [--threads N] [--json]`.

Benchmark ad53c672073451a02f040ce1b693a87db5acdcbd6b63fc1308d695e530b65357,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad53c672073451a02f040ce1b693a87db5acdcbd6b63fc1308d695e530b65357', SUITE, sys.argv[1:]))
