"""Transpose alone: `python Transpose_55cbc625f761.py [--threads N] [--json]`.

Benchmark 55cbc625f76189194819bc719ea7e51aa715d93c81601c841721d3e726f8e4de,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('55cbc625f76189194819bc719ea7e51aa715d93c81601c841721d3e726f8e4de', SUITE, sys.argv[1:]))
