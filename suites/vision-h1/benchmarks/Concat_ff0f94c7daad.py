"""Concat alone: `python Concat_ff0f94c7daad.py [--threads N] [--json]`.

Benchmark ff0f94c7daadd32dc2e884176afae9480a0261b6e803bfb06af81dce2ef9186e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ff0f94c7daadd32dc2e884176afae9480a0261b6e803bfb06af81dce2ef9186e', SUITE, sys.argv[1:]))
