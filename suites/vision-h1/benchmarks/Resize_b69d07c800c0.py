"""Resize alone: `python Resize_b69d07c800c0.py [--threads N] [--json]`.

Benchmark b69d07c800c01ed8e5c902dc91f162b5381924a1fb92aab7c7f3e95aea4526a3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b69d07c800c01ed8e5c902dc91f162b5381924a1fb92aab7c7f3e95aea4526a3', SUITE, sys.argv[1:]))
