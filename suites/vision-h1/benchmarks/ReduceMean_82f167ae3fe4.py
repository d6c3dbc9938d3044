"""ReduceMean alone: `python ReduceMean_82f167ae3fe4.py [--threads N] [--json]`.

Benchmark 82f167ae3fe4888db42d75417553f0bcdfa97acb4f221ac05ec3f67291bb9d55,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('82f167ae3fe4888db42d75417553f0bcdfa97acb4f221ac05ec3f67291bb9d55', SUITE, sys.argv[1:]))
