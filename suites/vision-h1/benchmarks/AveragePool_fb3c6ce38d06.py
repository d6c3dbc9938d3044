"""AveragePool alone: `python AveragePool_fb3c6ce38d06.py [--threads N] [--json]`.

Benchmark fb3c6ce38d06f68ac4c74fb817d887b30eb33e63652fbcacf426f29adacb24bf,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fb3c6ce38d06f68ac4c74fb817d887b30eb33e63652fbcacf426f29adacb24bf', SUITE, sys.argv[1:]))
