"""Concat alone: `python Concat_91919a5150f6.py [--threads N] [--json]`.

Benchmark 91919a5150f63008c0d1cec2f561ea9996c5e7d2cd91b74f986612e525510629,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('91919a5150f63008c0d1cec2f561ea9996c5e7d2cd91b74f986612e525510629', SUITE, sys.argv[1:]))
