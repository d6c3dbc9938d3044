"""Softmax alone: `python Softmax_eee8ebe2cc04.py [--threads N] [--json]`.

Benchmark eee8ebe2cc04ac2949e11effdae0e1e4422c3fa45e845fc67675474443688675,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('eee8ebe2cc04ac2949e11effdae0e1e4422c3fa45e845fc67675474443688675', SUITE, sys.argv[1:]))
