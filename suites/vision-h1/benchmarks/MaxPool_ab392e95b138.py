"""MaxPool alone: `python MaxPool_ab392e95b138.py [--threads N] [--json]`.

Benchmark ab392e95b13848d717e5613ff1fc8f67f11187555c9d56db55fe666f80c19615,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab392e95b13848d717e5613ff1fc8f67f11187555c9d56db55fe666f80c19615', SUITE, sys.argv[1:]))
