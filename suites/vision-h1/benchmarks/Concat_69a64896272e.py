"""Concat alone: `python Concat_69a64896272e.py [--threads N] [--json]`.

Benchmark 69a64896272ec369bec8bb561f63b2fd3d4ac37973a65e8370fa669942afb0f7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('69a64896272ec369bec8bb561f63b2fd3d4ac37973a65e8370fa669942afb0f7', SUITE, sys.argv[1:]))
