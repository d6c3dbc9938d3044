"""Gather alone: `python Gather_6b468326e794.py [--threads N] [--json]`.

Benchmark 6b468326e79415d6a6dd397406a944b52723446a7786f972425f62e167f49a94,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6b468326e79415d6a6dd397406a944b52723446a7786f972425f62e167f49a94', SUITE, sys.argv[1:]))
