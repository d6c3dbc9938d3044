"""Add alone: `python Add_c24a8d5e8563.py [--threads N] [--json]`.

Benchmark c24a8d5e856385e8b26f4964665befe3a6ee730a931ef48611455a1adfb19777,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c24a8d5e856385e8b26f4964665befe3a6ee730a931ef48611455a1adfb19777', SUITE, sys.argv[1:]))
