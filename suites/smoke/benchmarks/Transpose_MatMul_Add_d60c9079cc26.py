"""Transpose_MatMul_Add alone: `python Transpose_MatMul_Add_d60c9079cc26.py [--threads N] [--json]`.

Benchmark d60c9079cc2682573046a8def8f1c0b5ffc6df872f1d6ee81080698e51379f85,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d60c9079cc2682573046a8def8f1c0b5ffc6df872f1d6ee81080698e51379f85', SUITE, sys.argv[1:]))
