"""Transpose alone: `python Transpose_c65c754c9342.py [--threads N] [--json]`.

Benchmark c65c754c9342faacd7e8d57d4c4c2d40e731863fb7b66876032a16437279569f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c65c754c9342faacd7e8d57d4c4c2d40e731863fb7b66876032a16437279569f', SUITE, sys.argv[1:]))
