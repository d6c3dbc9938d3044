"""Concat alone: `python Concat_e8f7da7dd5e1.py [--threads N] [--json]`.

Benchmark e8f7da7dd5e1e52f5ca461c93081f53e64aae49ad8398c313019ba80beb6e36a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e8f7da7dd5e1e52f5ca461c93081f53e64aae49ad8398c313019ba80beb6e36a', SUITE, sys.argv[1:]))
