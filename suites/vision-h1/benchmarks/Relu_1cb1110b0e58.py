"""Relu alone: `python Relu_1cb1110b0e58.py [--threads N] [--json]`.

Benchmark 1cb1110b0e583b9ce7a751ccc82b21632d277c564addb74c24ce7d28eea0b6ae,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1cb1110b0e583b9ce7a751ccc82b21632d277c564addb74c24ce7d28eea0b6ae', SUITE, sys.argv[1:]))
