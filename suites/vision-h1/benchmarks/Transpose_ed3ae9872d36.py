"""Transpose alone: `python Transpose_ed3ae9872d36.py [--threads N] [--json]`.

Benchmark ed3ae9872d3682b7ce032a16c6f74520d9ff8c98f24d5e05657e3dacafdded7b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ed3ae9872d3682b7ce032a16c6f74520d9ff8c98f24d5e05657e3dacafdded7b', SUITE, sys.argv[1:]))
