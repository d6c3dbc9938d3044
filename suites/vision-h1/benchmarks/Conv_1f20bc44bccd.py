"""Conv alone: `python Conv_1f20bc44bccd.py [--threads N] [--json]`.

Benchmark 1f20bc44bccda66e12c6f4984b7969a56c3334ce302d3036e03cef1c74ae950c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1f20bc44bccda66e12c6f4984b7969a56c3334ce302d3036e03cef1c74ae950c', SUITE, sys.argv[1:]))
