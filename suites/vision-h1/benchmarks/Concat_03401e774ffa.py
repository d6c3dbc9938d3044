"""Concat alone: `python Concat_03401e774ffa.py [--threads N] [--json]`.

Benchmark 03401e774ffa884278d67d528884db73ed7844bf321a01e888fbafdb136b17e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03401e774ffa884278d67d528884db73ed7844bf321a01e888fbafdb136b17e6', SUITE, sys.argv[1:]))
