"""Relu alone: `python Relu_8defff66ada5.py [--threads N] [--json]`.

Benchmark 8defff66ada55376a28ed14853a9adc71116d04b11f3889d65916a973c08afcb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8defff66ada55376a28ed14853a9adc71116d04b11f3889d65916a973c08afcb', SUITE, sys.argv[1:]))
