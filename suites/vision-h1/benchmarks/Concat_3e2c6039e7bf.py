"""Concat alone: `python Concat_3e2c6039e7bf.py [--threads N] [--json]`.

Benchmark 3e2c6039e7bf4d280269eda023841b693c2e96137d38058845de399955700624,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e2c6039e7bf4d280269eda023841b693c2e96137d38058845de399955700624', SUITE, sys.argv[1:]))
