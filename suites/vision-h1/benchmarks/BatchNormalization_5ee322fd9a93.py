"""BatchNormalization alone: `python BatchNormalization_5ee322fd9a93.py [--threads N] [--json]`.

Benchmark 5ee322fd9a934eeb24e9a8e80c20283080eb88723b79787ea86563dcfc07be24,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5ee322fd9a934eeb24e9a8e80c20283080eb88723b79787ea86563dcfc07be24', SUITE, sys.argv[1:]))
