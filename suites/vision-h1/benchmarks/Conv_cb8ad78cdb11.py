"""Conv alone: `python Conv_cb8ad78cdb11.py [--threads N] [--json]`.

Benchmark cb8ad78cdb112bec35d64cb031991d0d938dfe1ce75d957083c1eee59dc582cd,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb8ad78cdb112bec35d64cb031991d0d938dfe1ce75d957083c1eee59dc582cd', SUITE, sys.argv[1:]))
