"""Slice alone: `python Slice_03c359b24cb6.py [--threads N] [--json]`.

Benchmark 03c359b24cb6debdd0b555bf4fd9543de5b9378cd49d6d298984b22bfe08879d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('03c359b24cb6debdd0b555bf4fd9543de5b9378cd49d6d298984b22bfe08879d', SUITE, sys.argv[1:]))
