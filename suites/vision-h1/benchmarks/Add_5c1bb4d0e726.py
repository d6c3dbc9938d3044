"""Add alone: `python Add_5c1bb4d0e726.py [--threads N] [--json]`.

Benchmark 5c1bb4d0e7264892af2dfa37aa9d094125caf6c21114fcc8f69dd85dd3575bbe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5c1bb4d0e7264892af2dfa37aa9d094125caf6c21114fcc8f69dd85dd3575bbe', SUITE, sys.argv[1:]))
