"""Concat alone: `python Concat_31b93a1cad7d.py [--threads N] [--json]`.

Benchmark 31b93a1cad7d212fb10cac319c721e3d64b0a4df587d70f9a61ee9cace2cbca3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('31b93a1cad7d212fb10cac319c721e3d64b0a4df587d70f9a61ee9cace2cbca3', SUITE, sys.argv[1:]))
