"""Div alone: `python Div_cef0c0a37566.py [--threads N] [--json]`.

Benchmark cef0c0a37566c9d19ce0e1aa701c816bf49d29331ed33dd6c57e2b4ce5484c10,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cef0c0a37566c9d19ce0e1aa701c816bf49d29331ed33dd6c57e2b4ce5484c10', SUITE, sys.argv[1:]))
