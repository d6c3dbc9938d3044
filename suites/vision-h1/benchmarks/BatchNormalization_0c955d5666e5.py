"""BatchNormalization alone: `python BatchNormalization_0c955d5666e5.py [--threads N] [--json]`.

Benchmark 0c955d5666e57ebe80840c0748a05b3837d210a73c481934bbd31ebde634cce7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0c955d5666e57ebe80840c0748a05b3837d210a73c481934bbd31ebde634cce7', SUITE, sys.argv[1:]))
