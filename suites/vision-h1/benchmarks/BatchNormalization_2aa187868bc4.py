"""BatchNormalization alone: `python BatchNormalization_2aa187868bc4.py [--threads N] [--json]`.

Benchmark 2aa187868bc40723e39a4ed77937b7f6f7904834508372f912c58384d564e0f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2aa187868bc40723e39a4ed77937b7f6f7904834508372f912c58384d564e0f2', SUITE, sys.argv[1:]))
