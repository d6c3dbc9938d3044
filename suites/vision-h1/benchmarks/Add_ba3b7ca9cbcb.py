"""Add alone: `python Add_ba3b7ca9cbcb.py [--threads N] [--json]`.

Benchmark ba3b7ca9cbcb723a54066f3b0b5014ad03dbed64f3fddf0331605fdaca8459a6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ba3b7ca9cbcb723a54066f3b0b5014ad03dbed64f3fddf0331605fdaca8459a6', SUITE, sys.argv[1:]))
