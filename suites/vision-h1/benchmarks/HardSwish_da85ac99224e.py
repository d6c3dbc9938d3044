"""HardSwish alone: `python HardSwish_da85ac99224e.py [--threads N] [--json]`.

Benchmark da85ac99224e37f2cf96c8222a714082c9523911ffada333d0f9571e98328583,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('da85ac99224e37f2cf96c8222a714082c9523911ffada333d0f9571e98328583', SUITE, sys.argv[1:]))
