"""Slice alone: `python Slice_12a2c85685a5.py [--threads N] [--json]`.

Benchmark 12a2c85685a5dd0df85802b80a9d42e12aa0ceacf4ac2fdf806e3cacd410a300,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('12a2c85685a5dd0df85802b80a9d42e12aa0ceacf4ac2fdf806e3cacd410a300', SUITE, sys.argv[1:]))
