"""Split alone: `python Split_38f9671206d8.py [--threads N] [--json]`.

Benchmark 38f9671206d80c76d99f4dd7118837556061e0642305cf1b98a3619fe4dee87e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('38f9671206d80c76d99f4dd7118837556061e0642305cf1b98a3619fe4dee87e', SUITE, sys.argv[1:]))
