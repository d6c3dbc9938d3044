"""Slice alone: `python Slice_97df94e077a7.py [--threads N] [--json]`.

Benchmark 97df94e077a7896b1740d4ad17fa67149ea4a4af1db509ee979ddaebc606a178,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('97df94e077a7896b1740d4ad17fa67149ea4a4af1db509ee979ddaebc606a178', SUITE, sys.argv[1:]))
