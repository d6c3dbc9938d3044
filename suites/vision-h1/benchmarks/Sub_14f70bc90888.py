"""Sub alone: `python Sub_14f70bc90888.py [--threads N] [--json]`.

Benchmark 14f70bc9088894243c16ca62230ce03e2019310f1e3002d1b46c9dcce213eb7c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('14f70bc9088894243c16ca62230ce03e2019310f1e3002d1b46c9dcce213eb7c', SUITE, sys.argv[1:]))
