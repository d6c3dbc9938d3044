"""Transpose alone: `python Transpose_08f09a95f958.py [--threads N] [--json]`.

Benchmark 08f09a95f9585f1d6fb22d400afecf9310bb12401e20c9642e8760581c708d7a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('08f09a95f9585f1d6fb22d400afecf9310bb12401e20c9642e8760581c708d7a', SUITE, sys.argv[1:]))
