"""Add alone: `python Add_6e7dfaa88823.py [--threads N] [--json]`.

Benchmark 6e7dfaa8882309e55f1cabf2d217cbb282998b233979972b8110c0991cffb584,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e7dfaa8882309e55f1cabf2d217cbb282998b233979972b8110c0991cffb584', SUITE, sys.argv[1:]))
