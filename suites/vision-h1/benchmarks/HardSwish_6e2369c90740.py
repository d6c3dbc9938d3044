"""HardSwish alone: `python HardSwish_6e2369c90740.py [--threads N] [--json]`.

Benchmark 6e2369c90740934f68948a68792fa1f8edff18a6a33c6769ecb98c2dea1f1e21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6e2369c90740934f68948a68792fa1f8edff18a6a33c6769ecb98c2dea1f1e21', SUITE, sys.argv[1:]))
