"""Conv_Relu alone: `python Conv_Relu_f5663bf016be.py [--threads N] [--json]`.

Benchmark f5663bf016be806faf4a30ec6ce7bb173458f9a1544d5733b0f0a90b0a61cf08,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f5663bf016be806faf4a30ec6ce7bb173458f9a1544d5733b0f0a90b0a61cf08', SUITE, sys.argv[1:]))
