"""Transpose alone: `python Transpose_670ce24af7d6.py [--threads N] [--json]`.

Benchmark 670ce24af7d65553ac3b664f0f44365ba1044e07f27e80cdbc766215c862d227,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('670ce24af7d65553ac3b664f0f44365ba1044e07f27e80cdbc766215c862d227', SUITE, sys.argv[1:]))
