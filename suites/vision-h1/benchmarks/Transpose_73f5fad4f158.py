"""Transpose alone: `python Transpose_73f5fad4f158.py [--threads N] [--json]`.

Benchmark 73f5fad4f158908af81bc72f1ef552428da2ac6b923ad36f3842a814c3c510fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('73f5fad4f158908af81bc72f1ef552428da2ac6b923ad36f3842a814c3c510fe', SUITE, sys.argv[1:]))
