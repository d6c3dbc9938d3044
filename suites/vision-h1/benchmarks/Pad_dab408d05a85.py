"""Pad alone: `python Pad_dab408d05a85.py [--threads N] [--json]`.

Benchmark dab408d05a85003025f86f7755a9bbe17ca740b073c4bb1c27b90446f86995b0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dab408d05a85003025f86f7755a9bbe17ca740b073c4bb1c27b90446f86995b0', SUITE, sys.argv[1:]))
