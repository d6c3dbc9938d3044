"""ReduceMean alone: `python ReduceMean_7182ef57a505.py [--threads N] [--json]`.

Benchmark 7182ef57a5056e85f3c847b7039f934024e4f7f190caee903ffbccff4dcb0c12,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7182ef57a5056e85f3c847b7039f934024e4f7f190caee903ffbccff4dcb0c12', SUITE, sys.argv[1:]))
