"""Add alone: `python Add_8194b0390db9.py [--threads N] [--json]`.

Benchmark 8194b0390db906de298f982640e3e78bfdef66dedcddbd4d96a84bc30bbdd290,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8194b0390db906de298f982640e3e78bfdef66dedcddbd4d96a84bc30bbdd290', SUITE, sys.argv[1:]))
