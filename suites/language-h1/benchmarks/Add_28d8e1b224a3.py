"""Add alone: `python Add_28d8e1b224a3.py [--threads N] [--json]`.

Benchmark 28d8e1b224a39742e126863d456fe591a6d831f06a3be43616ff443ed131cb44,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('28d8e1b224a39742e126863d456fe591a6d831f06a3be43616ff443ed131cb44', SUITE, sys.argv[1:]))
