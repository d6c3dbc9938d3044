"""Concat alone: `python Concat_302e8b0058d5.py [--threads N] [--json]`.

Benchmark 302e8b0058d5e7e3dee1a5f659c7f76eea09dab577f838ddf38982e05386d872,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('302e8b0058d5e7e3dee1a5f659c7f76eea09dab577f838ddf38982e05386d872', SUITE, sys.argv[1:]))
