"""Conv alone: `python Conv_57adb943443b.py [--threads N] [--json]`.

Benchmark 57adb943443b903fad26c4ad70177b895dfa6a5efd60921527a9aa1ba2e63962,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('57adb943443b903fad26c4ad70177b895dfa6a5efd60921527a9aa1ba2e63962', SUITE, sys.argv[1:]))
