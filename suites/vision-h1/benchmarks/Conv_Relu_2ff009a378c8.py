"""Conv_Relu alone: `python Conv_Relu_2ff009a378c8.py [--threads N] [--json]`.

Benchmark 2ff009a378c8bad9044edf965f9cdb07e67f9dfb0d2c6b796c4cce0a698c0669,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2ff009a378c8bad9044edf965f9cdb07e67f9dfb0d2c6b796c4cce0a698c0669', SUITE, sys.argv[1:]))
