"""Sub alone: `python Sub_4436f45330f5.py [--threads N] [--json]`.

Benchmark 4436f45330f5140ecceaf29c9262195a7bd016b9da50036d87021274ff74ff22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4436f45330f5140ecceaf29c9262195a7bd016b9da50036d87021274ff74ff22', SUITE, sys.argv[1:]))
