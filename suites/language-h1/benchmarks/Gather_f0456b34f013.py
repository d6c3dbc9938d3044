"""Gather alone: `python Gather_f0456b34f013.py [--threads N] [--json]`.

Benchmark f0456b34f013eb5b7a6d7af369c228193f205db323eff603ebcdd4ffe25c2dda,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f0456b34f013eb5b7a6d7af369c228193f205db323eff603ebcdd4ffe25c2dda', SUITE, sys.argv[1:]))
