"""Conv_Clip alone: `python Conv_Clip_f4c53fb4950e.py [--threads N] [--json]`.

Benchmark f4c53fb4950e9b7a83dec8f30fd2486f2a5769f71b8613ea456367b7a5ff216b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f4c53fb4950e9b7a83dec8f30fd2486f2a5769f71b8613ea456367b7a5ff216b', SUITE, sys.argv[1:]))
