"""Conv alone: `python Conv_6fa4271a83ba.py [--threads N] [--json]`.

Benchmark 6fa4271a83baeba52629413a9f5d8a9f4ae51dabcdd452c7106360867f3394e8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6fa4271a83baeba52629413a9f5d8a9f4ae51dabcdd452c7106360867f3394e8', SUITE, sys.argv[1:]))
