"""Concat alone: `python Concat_c38c24b6b71a.py [--threads N] [--json]`.

Benchmark c38c24b6b71a28aa1a0b83fe85b83ad20f4e1fd03edfb0e3f4d7c65e5ce0c999,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c38c24b6b71a28aa1a0b83fe85b83ad20f4e1fd03edfb0e3f4d7c65e5ce0c999', SUITE, sys.argv[1:]))
