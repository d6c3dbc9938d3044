"""MaxPool alone: `python MaxPool_ac055b79965a.py [--threads N] [--json]`.

Benchmark ac055b79965aaecdc4fcfce29116cd9c6054dc64d69fde14b4b53a52895e5e65,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac055b79965aaecdc4fcfce29116cd9c6054dc64d69fde14b4b53a52895e5e65', SUITE, sys.argv[1:]))
