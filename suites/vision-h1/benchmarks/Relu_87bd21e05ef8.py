"""Relu alone: `python Relu_87bd21e05ef8.py [--threads N] [--json]`.

Benchmark 87bd21e05ef859344afec3514a4b81e4f8c13038844b20f90dad36641cf107ea,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('87bd21e05ef859344afec3514a4b81e4f8c13038844b20f90dad36641cf107ea', SUITE, sys.argv[1:]))
