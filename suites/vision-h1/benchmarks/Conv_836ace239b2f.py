"""Conv alone: `python Conv_836ace239b2f.py [--threads N] [--json]`.

Benchmark 836ace239b2f4d8c660e6b09f39ea2802dfca857cea3bef721bcf07a50830d53,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('836ace239b2f4d8c660e6b09f39ea2802dfca857cea3bef721bcf07a50830d53', SUITE, sys.argv[1:]))
