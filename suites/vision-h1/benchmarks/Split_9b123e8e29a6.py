"""Split alone: `python Split_9b123e8e29a6.py [--threads N] [--json]`.

Benchmark 9b123e8e29a66bd74cee4559ed2c387c913850021c362bf9c602079b7e556a69,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9b123e8e29a66bd74cee4559ed2c387c913850021c362bf9c602079b7e556a69', SUITE, sys.argv[1:]))
