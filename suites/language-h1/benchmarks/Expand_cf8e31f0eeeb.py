"""Expand alone: `python Expand_cf8e31f0eeeb.py [--threads N] [--json]`.

Benchmark cf8e31f0eeeb61036b81e28b1ff5eec757c0f69c18bffe3185f0a82f59076587,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cf8e31f0eeeb61036b81e28b1ff5eec757c0f69c18bffe3185f0a82f59076587', SUITE, sys.argv[1:]))
