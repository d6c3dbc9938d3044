"""Add alone: `python Add_f08d4bc4bd95.py [--threads N] [--json]`.

Benchmark f08d4bc4bd952825745421cbe8f8519dbca7816c7b482d6990e4398741368071,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f08d4bc4bd952825745421cbe8f8519dbca7816c7b482d6990e4398741368071', SUITE, sys.argv[1:]))
