"""Add alone: `python Add_66976c12c15d.py [--threads N] [--json]`.

Benchmark 66976c12c15d907033a3afe21f28300e382f5c212b6b0e392f3fabda15108732,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('66976c12c15d907033a3afe21f28300e382f5c212b6b0e392f3fabda15108732', SUITE, sys.argv[1:]))
