"""MaxPool alone: `python MaxPool_f0246e251a0e.py [--threads N] [--json]`.

Benchmark f0246e251a0ed9cd804bc0a4030736509685d17fd6ce20641a63637635099044,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f0246e251a0ed9cd804bc0a4030736509685d17fd6ce20641a63637635099044', SUITE, sys.argv[1:]))
