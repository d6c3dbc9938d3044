"""Concat alone: `python Concat_6d54e7a82321.py [--threads N] [--json]`.

Benchmark 6d54e7a82321d743257e4699372e715bf544e940ab6a94874b9553c54889d201,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6d54e7a82321d743257e4699372e715bf544e940ab6a94874b9553c54889d201', SUITE, sys.argv[1:]))
