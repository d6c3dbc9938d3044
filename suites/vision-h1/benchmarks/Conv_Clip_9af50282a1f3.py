"""Conv_Clip alone: `python Conv_Clip_9af50282a1f3.py [--threads N] [--json]`.

Benchmark 9af50282a1f3fb6eb129404ea0d7e5f79d3c879d9f6c7c6840b3a05c0c7e8668,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9af50282a1f3fb6eb129404ea0d7e5f79d3c879d9f6c7c6840b3a05c0c7e8668', SUITE, sys.argv[1:]))
