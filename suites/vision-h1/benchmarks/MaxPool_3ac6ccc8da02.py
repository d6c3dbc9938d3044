"""MaxPool alone: `python MaxPool_3ac6ccc8da02.py [--threads N] [--json]`.

Benchmark 3ac6ccc8da02f007d28d7f5675a149ac8145aea9f8930b97819e818b88665a06,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ac6ccc8da02f007d28d7f5675a149ac8145aea9f8930b97819e818b88665a06', SUITE, sys.argv[1:]))
