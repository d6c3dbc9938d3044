"""Mul alone: `python Mul_30ee6cea53ea.py [--threads N] [--json]`.

Benchmark 30ee6cea53ea6e375a87cf6ee10fdc00bb918c8d5f2db36da8a20f3f7f81cc22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('30ee6cea53ea6e375a87cf6ee10fdc00bb918c8d5f2db36da8a20f3f7f81cc22', SUITE, sys.argv[1:]))
