"""Transpose alone: `python Transpose_d94b7777116e.py [--threads N] [--json]`.

Benchmark d94b7777116e7b69b4170f817cfb58ae89fb715faa4eb7c155a37baa7dcd3496,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d94b7777116e7b69b4170f817cfb58ae89fb715faa4eb7c155a37baa7dcd3496', SUITE, sys.argv[1:]))
