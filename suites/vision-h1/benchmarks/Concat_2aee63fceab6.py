"""Concat alone: `python Concat_2aee63fceab6.py [--threads N] [--json]`.

Benchmark 2aee63fceab6251dfd0fef70bddf61493b310dacd7c0ad971abce5e831f4c323,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('2aee63fceab6251dfd0fef70bddf61493b310dacd7c0ad971abce5e831f4c323', SUITE, sys.argv[1:]))
