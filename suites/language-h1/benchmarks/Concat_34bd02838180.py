"""Concat alone: `python Concat_34bd02838180.py [--threads N] [--json]`.

Benchmark 34bd0283818028dc0f7b5d7810dffd25dea0cb64a5cd1618ad9a8ea805a5a24c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('34bd0283818028dc0f7b5d7810dffd25dea0cb64a5cd1618ad9a8ea805a5a24c', SUITE, sys.argv[1:]))
