"""Slice alone: `python Slice_4c2077c6fc1e.py [--threads N] [--json]`.

Benchmark 4c2077c6fc1ed529eaa48c97c430a10308afe1bc34abda9ef4c5311c7edacd38,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4c2077c6fc1ed529eaa48c97c430a10308afe1bc34abda9ef4c5311c7edacd38', SUITE, sys.argv[1:]))
