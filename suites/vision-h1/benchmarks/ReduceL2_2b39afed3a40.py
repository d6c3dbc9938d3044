"""ReduceL2 alone: `python ReduceL2_2b39afed3a40.py [--threads N] [--json]`.

Benchmark 2b39afed3a40c8970a297b98feb558a9f34eae01fe465746da967d0c3b46d405,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2b39afed3a40c8970a297b98feb558a9f34eae01fe465746da967d0c3b46d405', SUITE, sys.argv[1:]))
