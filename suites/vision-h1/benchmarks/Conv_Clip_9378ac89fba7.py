"""Conv_Clip alone: `python Conv_Clip_9378ac89fba7.py [--threads N] [--json]`.

Benchmark 9378ac89fba7a92814e51a27d9af9931808b4330580e5e6864d69961800c109b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9378ac89fba7a92814e51a27d9af9931808b4330580e5e6864d69961800c109b', SUITE, sys.argv[1:]))
