"""Transpose alone: `python Transpose_1eb0042ab967.py [--threads N] [--json]`.

Benchmark 1eb0042ab9677321ea5df2d55b1aef0c69d953c66878285b1c6bc124ac2cb642,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1eb0042ab9677321ea5df2d55b1aef0c69d953c66878285b1c6bc124ac2cb642', SUITE, sys.argv[1:]))
