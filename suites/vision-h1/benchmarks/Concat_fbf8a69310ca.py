"""Concat alone: `python Concat_fbf8a69310ca.py [--threads N] [--json]`.

Benchmark fbf8a69310caf59bdabd050078907bb8b66133913ee59cf63c766691ff87d2ce,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fbf8a69310caf59bdabd050078907bb8b66133913ee59cf63c766691ff87d2ce', SUITE, sys.argv[1:]))
