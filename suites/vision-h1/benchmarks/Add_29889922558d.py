"""Add alone: `python Add_29889922558d.py [--threads N] [--json]`.

Benchmark 29889922558d394b295bef1e711a52f7aa550fc59b40e56d67183103c9da3e92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('29889922558d394b295bef1e711a52f7aa550fc59b40e56d67183103c9da3e92', SUITE, sys.argv[1:]))
