"""Concat alone: `python Concat_ad2054c53c6b.py [--threads N] [--json]`.

Benchmark ad2054c53c6bfbdf18ff932d671f5e2377c71a7f726cf8ac21d94f8f0d9f36c7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad2054c53c6bfbdf18ff932d671f5e2377c71a7f726cf8ac21d94f8f0d9f36c7', SUITE, sys.argv[1:]))
