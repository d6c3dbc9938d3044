"""MaxPool alone: `python MaxPool_91c50ce0ffa8.py [--threads N] [--json]`.

Benchmark 91c50ce0ffa85c0c4bf061c3eee0838079801eb51ef1319a6e9c958996322dcb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91c50ce0ffa85c0c4bf061c3eee0838079801eb51ef1319a6e9c958996322dcb', SUITE, sys.argv[1:]))
