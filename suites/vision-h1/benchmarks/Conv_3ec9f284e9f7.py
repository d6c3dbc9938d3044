"""Conv alone: `python Conv_3ec9f284e9f7.py [--threads N] [--json]`.

Benchmark 3ec9f284e9f79b51fcd843f02500f1b4b92732ed1c611beb59e3c33cbbf1530b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3ec9f284e9f79b51fcd843f02500f1b4b92732ed1c611beb59e3c33cbbf1530b', SUITE, sys.argv[1:]))
