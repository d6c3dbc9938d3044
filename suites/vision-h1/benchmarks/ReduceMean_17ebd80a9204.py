"""ReduceMean alone: `python ReduceMean_17ebd80a9204.py [--threads N] [--json]`.

Benchmark 17ebd80a920436c989ccd20c3aa57421782a422996654614464d0119f548ec7e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('17ebd80a920436c989ccd20c3aa57421782a422996654614464d0119f548ec7e', SUITE, sys.argv[1:]))
