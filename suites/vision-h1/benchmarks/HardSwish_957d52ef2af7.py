"""HardSwish alone: `python HardSwish_957d52ef2af7.py [--threads N] [--json]`.

Benchmark 957d52ef2af704b6b5d57cf0ff58513975d0d078e989b1d39736e2da63549497,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('957d52ef2af704b6b5d57cf0ff58513975d0d078e989b1d39736e2da63549497', SUITE, sys.argv[1:]))
