"""Conv alone: `python Conv_6ad384e6c685.py [--threads N] [--json]`.

Benchmark 6ad384e6c685f85990b8bf1762ff0c0d732ba09991721f8d9a4121eede49f8f2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6ad384e6c685f85990b8bf1762ff0c0d732ba09991721f8d9a4121eede49f8f2', SUITE, sys.argv[1:]))
