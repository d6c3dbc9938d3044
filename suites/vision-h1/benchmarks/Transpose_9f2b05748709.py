"""Transpose alone: `python Transpose_9f2b05748709.py [--threads N] [--json]`.

Benchmark 9f2b05748709f225ad68a498fe92c5c6a75b6f9fbca53fe77a23fd7cef7b5781,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9f2b05748709f225ad68a498fe92c5c6a75b6f9fbca53fe77a23fd7cef7b5781', SUITE, sys.argv[1:]))
