"""BatchNormalization alone: `python BatchNormalization_9b350f348dc5.py [--threads N] [--json]`.

Benchmark 9b350f348dc5d772e5a7414a6397ef8777985d75f5dc849f43399d2279fd904d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b350f348dc5d772e5a7414a6397ef8777985d75f5dc849f43399d2279fd904d', SUITE, sys.argv[1:]))
