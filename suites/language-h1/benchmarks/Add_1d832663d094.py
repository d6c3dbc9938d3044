"""Add alone: `python Add_1d832663d094.py [--threads N] [--json]`.

Benchmark 1d832663d09441f1674dc39d0e3b42fd2e57a2824c6c3504b08814174b28f205,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1d832663d09441f1674dc39d0e3b42fd2e57a2824c6c3504b08814174b28f205', SUITE, sys.argv[1:]))
