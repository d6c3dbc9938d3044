"""Add alone: `python Add_5b5e6f63e7fd.py [--threads N] [--json]`.

Benchmark 5b5e6f63e7fda813e84f7d7bf81037e3b0837762374cda040beaa442d8bc14de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5b5e6f63e7fda813e84f7d7bf81037e3b0837762374cda040beaa442d8bc14de', SUITE, sys.argv[1:]))
