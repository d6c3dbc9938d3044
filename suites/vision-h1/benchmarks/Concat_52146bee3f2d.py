"""Concat alone: `python Concat_52146bee3f2d.py [--threads N] [--json]`.

Benchmark 52146bee3f2d655afde582104bd5fa760f43595048dae09e9c88bd04e1cfad87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('52146bee3f2d655afde582104bd5fa760f43595048dae09e9c88bd04e1cfad87', SUITE, sys.argv[1:]))
