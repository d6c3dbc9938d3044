"""MaxPool alone: `python MaxPool_0a5017d9a5c2.py [--threads N] [--json]`.

Benchmark 0a5017d9a5c2994d6d12591c6ed68b0a575b053d6a08bdcb4466a856aafea68b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0a5017d9a5c2994d6d12591c6ed68b0a575b053d6a08bdcb4466a856aafea68b', SUITE, sys.argv[1:]))
