"""Conv_HardSwish alone: `python Conv_HardSwish_ecf7fabda368.py [--threads N] [--json]`.

Benchmark ecf7fabda368457d1facbe78fac38992b120a467cb5d41e7be6ef6234d6cb92d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ecf7fabda368457d1facbe78fac38992b120a467cb5d41e7be6ef6234d6cb92d', SUITE, sys.argv[1:]))
