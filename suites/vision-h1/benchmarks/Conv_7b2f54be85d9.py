"""Conv alone: `python Conv_7b2f54be85d9.py [--threads N] [--json]`.

Benchmark 7b2f54be85d9e59866f40e137adea54d086231c80af2f4da9e92c4d9eb981d5e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7b2f54be85d9e59866f40e137adea54d086231c80af2f4da9e92c4d9eb981d5e', SUITE, sys.argv[1:]))
