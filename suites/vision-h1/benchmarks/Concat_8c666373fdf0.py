"""Concat alone: `python Concat_8c666373fdf0.py [--threads N] [--json]`.

Benchmark 8c666373fdf03a739cccf631a19eae14fa7f82a6331879732359bf945ffefdca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8c666373fdf03a739cccf631a19eae14fa7f82a6331879732359bf945ffefdca', SUITE, sys.argv[1:]))
