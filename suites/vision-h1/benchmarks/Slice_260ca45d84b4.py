"""Slice alone: `python Slice_260ca45d84b4.py [--threads N] [--json]`.

Benchmark 260ca45d84b43510eeb15508813fe02cf85892acf8b0db573bcd7ea539540cca,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('260ca45d84b43510eeb15508813fe02cf85892acf8b0db573bcd7ea539540cca', SUITE, sys.argv[1:]))
