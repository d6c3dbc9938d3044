"""HardSwish alone: `python HardSwish_b6ee1d47e3a1.py [--threads N] [--json]`.

Benchmark b6ee1d47e3a158cfb51a2e889c40454b87b3391ac5f2166310dbeca8a0c3b4f6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b6ee1d47e3a158cfb51a2e889c40454b87b3391ac5f2166310dbeca8a0c3b4f6', SUITE, sys.argv[1:]))
