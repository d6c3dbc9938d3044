"""Concat alone: `python Concat_8e871d16c433.py [--threads N] [--json]`.

Benchmark 8e871d16c433a4042dad0b21f766541da552e2aff64c9d76c582f7af2cd08f0d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8e871d16c433a4042dad0b21f766541da552e2aff64c9d76c582f7af2cd08f0d', SUITE, sys.argv[1:]))
