"""Transpose alone: `python Transpose_843c0fe836a5.py [--threads N] [--json]`.

Benchmark 843c0fe836a56a62c78ac4c0ce23f655ac7db6ca5e75cbb129b360cd6aae0046,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('843c0fe836a56a62c78ac4c0ce23f655ac7db6ca5e75cbb129b360cd6aae0046', SUITE, sys.argv[1:]))
