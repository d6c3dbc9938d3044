"""Conv alone: `python Conv_bb5aa8d984c6.py [--threads N] [--json]`.

Benchmark bb5aa8d984c65e1f73a939b28c2733deaff4d4501a13470856f93f5159b19f4c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bb5aa8d984c65e1f73a939b28c2733deaff4d4501a13470856f93f5159b19f4c', SUITE, sys.argv[1:]))
