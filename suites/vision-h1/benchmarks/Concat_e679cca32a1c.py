"""Concat alone: `python Concat_e679cca32a1c.py [--threads N] [--json]`.

Benchmark e679cca32a1c4c55ac154e0173f8e560f82854c4f796372147c6cf555f05e19a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e679cca32a1c4c55ac154e0173f8e560f82854c4f796372147c6cf555f05e19a', SUITE, sys.argv[1:]))
