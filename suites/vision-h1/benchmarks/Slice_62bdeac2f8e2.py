"""Slice alone: `python Slice_62bdeac2f8e2.py [--threads N] [--json]`.

Benchmark 62bdeac2f8e225e83e464a966b1018394ab0adb908b5ba34dd8f153a9e5cef6e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('62bdeac2f8e225e83e464a966b1018394ab0adb908b5ba34dd8f153a9e5cef6e', SUITE, sys.argv[1:]))
