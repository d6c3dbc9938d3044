"""Split alone: `python Split_88712bcad3d9.py [--threads N] [--json]`.

Benchmark 88712bcad3d962d4997980ac855ba69a177730595255771ae877bb9d8380120b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('88712bcad3d962d4997980ac855ba69a177730595255771ae877bb9d8380120b', SUITE, sys.argv[1:]))
