"""Conv_Clip alone: `python Conv_Clip_3fd80f22a5c2.py [--threads N] [--json]`.

Benchmark 3fd80f22a5c2cb549661b6b9f412d10d8a33f840b0e3726cece0b1c800e66f56,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3fd80f22a5c2cb549661b6b9f412d10d8a33f840b0e3726cece0b1c800e66f56', SUITE, sys.argv[1:]))
