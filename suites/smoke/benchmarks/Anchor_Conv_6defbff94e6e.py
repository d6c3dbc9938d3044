"""Anchor_Conv alone: `python Anchor_Conv_6defbff94e6e.py [--threads N] [--json]`.

Benchmark 6defbff94e6e2414b22346e3e4c43cf7c54cd2ac05e3defcd2bc6019f306aad0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('6defbff94e6e2414b22346e3e4c43cf7c54cd2ac05e3defcd2bc6019f306aad0', SUITE, sys.argv[1:]))
