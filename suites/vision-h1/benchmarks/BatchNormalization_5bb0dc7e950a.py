"""BatchNormalization alone: `python BatchNormalization_5bb0dc7e950a.py [--threads N] [--json]`.

Benchmark 5bb0dc7e950a9a6ce17a454cb782cee02c270ef199127383c478612069dbf9c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5bb0dc7e950a9a6ce17a454cb782cee02c270ef199127383c478612069dbf9c2', SUITE, sys.argv[1:]))
