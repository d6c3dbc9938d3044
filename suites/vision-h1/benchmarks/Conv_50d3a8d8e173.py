"""Conv alone: `python Conv_50d3a8d8e173.py [--threads N] [--json]`.

Benchmark 50d3a8d8e1738a416ed34fadaa5b510bb46907f7d2f56900c0825b8eaa9ebbcb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50d3a8d8e1738a416ed34fadaa5b510bb46907f7d2f56900c0825b8eaa9ebbcb', SUITE, sys.argv[1:]))
