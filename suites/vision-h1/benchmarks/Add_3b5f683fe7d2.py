"""Add alone: `python Add_3b5f683fe7d2.py [--threads N] [--json]`.

Benchmark 3b5f683fe7d2339cbef67400fedc4d3996e8764b7680b2ca78a1c985641c510c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3b5f683fe7d2339cbef67400fedc4d3996e8764b7680b2ca78a1c985641c510c', SUITE, sys.argv[1:]))
