"""Add alone: `python Add_23e7514d88da.py [--threads N] [--json]`.

Benchmark 23e7514d88da9434ee3e118cff403b692a841eabc7b2aa182a300c0939e89cf2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('23e7514d88da9434ee3e118cff403b692a841eabc7b2aa182a300c0939e89cf2', SUITE, sys.argv[1:]))
