"""ReduceMean alone: `python ReduceMean_899773ae5094.py [--threads N] [--json]`.

Benchmark 899773ae5094ebd352ded01d0444e8174e8bf9815c4ef33e3ceaedae1ce38dcf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('899773ae5094ebd352ded01d0444e8174e8bf9815c4ef33e3ceaedae1ce38dcf', SUITE, sys.argv[1:]))
