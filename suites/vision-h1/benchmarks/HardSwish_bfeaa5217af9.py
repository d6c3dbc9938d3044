"""HardSwish alone: `python HardSwish_bfeaa5217af9.py [--threads N] [--json]`.

Benchmark bfeaa5217af9ddeebe34c3fb90548bfdb6c3750cafaf4f8f6066cefb1c8d41c2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bfeaa5217af9ddeebe34c3fb90548bfdb6c3750cafaf4f8f6066cefb1c8d41c2', SUITE, sys.argv[1:]))
