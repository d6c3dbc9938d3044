"""Conv_Add alone: `python Conv_Add_0539eb4f586e.py [--threads N] [--json]`.

Benchmark 0539eb4f586eee0d3a7abe3d5965075db4a80076a8911fb79de7b8add87810f0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0539eb4f586eee0d3a7abe3d5965075db4a80076a8911fb79de7b8add87810f0', SUITE, sys.argv[1:]))
