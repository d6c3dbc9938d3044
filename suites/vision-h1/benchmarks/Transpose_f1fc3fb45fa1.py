"""Transpose alone: `python Transpose_f1fc3fb45fa1.py [--threads N] [--json]`.

Benchmark f1fc3fb45fa1ebbb7b0b93a53e07650a284902f4e3b9f467430dcd455b069697,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1fc3fb45fa1ebbb7b0b93a53e07650a284902f4e3b9f467430dcd455b069697', SUITE, sys.argv[1:]))
