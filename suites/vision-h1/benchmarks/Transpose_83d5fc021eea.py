"""Transpose alone: `python Transpose_83d5fc021eea.py [--threads N] [--json]`.

Benchmark 83d5fc021eeafbd2f6f166d63204b19a6784bf0ef87f5424c9cd58ca5abaabfc,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('83d5fc021eeafbd2f6f166d63204b19a6784bf0ef87f5424c9cd58ca5abaabfc', SUITE, sys.argv[1:]))
