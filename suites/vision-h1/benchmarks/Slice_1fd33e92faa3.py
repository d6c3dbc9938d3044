"""Slice alone: `python Slice_1fd33e92faa3.py [--threads N] [--json]`.

Benchmark 1fd33e92faa38c212657bde2bf14b6fada9c0749e47d021b31425deacaa75b40,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1fd33e92faa38c212657bde2bf14b6fada9c0749e47d021b31425deacaa75b40', SUITE, sys.argv[1:]))
