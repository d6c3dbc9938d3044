"""Conv alone: `python Conv_42a870b544f2.py [--threads N] [--json]`.

Benchmark 42a870b544f266f0bf64f21060e5f9fe2f797bc8ec0f56011a50212f01d42a27,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('42a870b544f266f0bf64f21060e5f9fe2f797bc8ec0f56011a50212f01d42a27', SUITE, sys.argv[1:]))
