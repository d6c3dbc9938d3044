"""Add alone: `python Add_112feeb8dc8d.py [--threads N] [--json]`.

Benchmark 112feeb8dc8de0606cbad2cc696c2d36c1d3856d5b5678e91e4244133cc3697e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('112feeb8dc8de0606cbad2cc696c2d36c1d3856d5b5678e91e4244133cc3697e', SUITE, sys.argv[1:]))
