"""Concat alone: `python Concat_98931629b917.py [--threads N] [--json]`.

Benchmark 98931629b91702a363b4bde631e6acd3255e0bde3e3e3f1e7ead160eced0b3a1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('98931629b91702a363b4bde631e6acd3255e0bde3e3e3f1e7ead160eced0b3a1', SUITE, sys.argv[1:]))
