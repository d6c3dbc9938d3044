"""Concat alone: `python Concat_0d5860704dbd.py [--threads N] [--json]`.

Benchmark 0d5860704dbdd8cd8947963af49dc40e377d99efe749fd437a12a9677fdc0b9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0d5860704dbdd8cd8947963af49dc40e377d99efe749fd437a12a9677fdc0b9d', SUITE, sys.argv[1:]))
