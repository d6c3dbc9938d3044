"""Conv alone: `python Conv_8540429d0f13.py [--threads N] [--json]`.

Benchmark 8540429d0f1322e3de19964cd3266869bc05c7f214ce96c6430b529cf35eea77,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8540429d0f1322e3de19964cd3266869bc05c7f214ce96c6430b529cf35eea77', SUITE, sys.argv[1:]))
