"""ReduceMean alone: `python ReduceMean_2018d2aa120e.py [--threads N] [--json]`.

Benchmark 2018d2aa120efbb4209a1e60ef5dddf6d85d99eb4895c9badc71020e202c83fa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2018d2aa120efbb4209a1e60ef5dddf6d85d99eb4895c9badc71020e202c83fa', SUITE, sys.argv[1:]))
