"""Softmax alone: `python Softmax_3e7500347cb9.py [--threads N] [--json]`.

Benchmark 3e7500347cb904f72d92bd14a0f6064885a5154489954df49cc1263fa52ccf0f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3e7500347cb904f72d92bd14a0f6064885a5154489954df49cc1263fa52ccf0f', SUITE, sys.argv[1:]))
