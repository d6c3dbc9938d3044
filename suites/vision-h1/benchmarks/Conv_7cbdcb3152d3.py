"""Conv alone: `python Conv_7cbdcb3152d3.py [--threads N] [--json]`.

Benchmark 7cbdcb3152d354bab55942c0382d5dd9d162c240ded78fbae1d0ace5730c060c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7cbdcb3152d354bab55942c0382d5dd9d162c240ded78fbae1d0ace5730c060c', SUITE, sys.argv[1:]))
