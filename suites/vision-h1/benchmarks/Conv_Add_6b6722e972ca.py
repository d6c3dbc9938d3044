"""Conv_Add alone: `python Conv_Add_6b6722e972ca.py [--threads N] [--json]`.

Benchmark 6b6722e972ca15202c417082fd3344433ca377af35b50e7f0d8846c0eb622084,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b6722e972ca15202c417082fd3344433ca377af35b50e7f0d8846c0eb622084', SUITE, sys.argv[1:]))
