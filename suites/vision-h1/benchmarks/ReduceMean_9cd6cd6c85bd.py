"""ReduceMean alone: `python ReduceMean_9cd6cd6c85bd.py [--threads N] [--json]`.

Benchmark 9cd6cd6c85bd2fe19c5de5c6bd8ec8a8250c704a7851ad7463061f6ad0e2bb9b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9cd6cd6c85bd2fe19c5de5c6bd8ec8a8250c704a7851ad7463061f6ad0e2bb9b', SUITE, sys.argv[1:]))
