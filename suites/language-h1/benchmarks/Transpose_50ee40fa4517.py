"""Transpose alone: `python Transpose_50ee40fa4517.py [--threads N] [--json]`.

Benchmark 50ee40fa45173744ece47afdda21fd3f156a6f69608204fdbafb457def979aa0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('50ee40fa45173744ece47afdda21fd3f156a6f69608204fdbafb457def979aa0', SUITE, sys.argv[1:]))
