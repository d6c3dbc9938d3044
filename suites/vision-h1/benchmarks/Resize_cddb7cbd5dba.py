"""Resize alone: `python Resize_cddb7cbd5dba.py [--threads N] [--json]`.

Benchmark cddb7cbd5dbaf3b933c05a0501fa4395c62fbfded33bf2ecfb0f2954f8f4bc28,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cddb7cbd5dbaf3b933c05a0501fa4395c62fbfded33bf2ecfb0f2954f8f4bc28', SUITE, sys.argv[1:]))
