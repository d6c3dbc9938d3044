"""Concat alone: `python Concat_0923881034ce.py [--threads N] [--json]`.

Benchmark 0923881034ce403460cb9ea5311c96c2c24a52a8defa3f0f678e46e2bc26b1a2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0923881034ce403460cb9ea5311c96c2c24a52a8defa3f0f678e46e2bc26b1a2', SUITE, sys.argv[1:]))
