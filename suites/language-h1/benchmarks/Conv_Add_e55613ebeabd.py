"""Conv_Add alone: `python Conv_Add_e55613ebeabd.py [--threads N] [--json]`.

Benchmark e55613ebeabd283583bcfb757680fd868b2c1972df3d8b71fa744c280f517bd2,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e55613ebeabd283583bcfb757680fd868b2c1972df3d8b71fa744c280f517bd2', SUITE, sys.argv[1:]))
