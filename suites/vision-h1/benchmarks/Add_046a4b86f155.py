"""Add alone: `python Add_046a4b86f155.py [--threads N] [--json]`.

Benchmark 046a4b86f155fb6eff48517496cf1337580333a61d0fad5dd0df564d8ff651a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('046a4b86f155fb6eff48517496cf1337580333a61d0fad5dd0df564d8ff651a2', SUITE, sys.argv[1:]))
