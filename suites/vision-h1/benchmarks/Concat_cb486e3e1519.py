"""Concat alone: `python Concat_cb486e3e1519.py [--threads N] [--json]`.

Benchmark cb486e3e1519d9ea833c9ef5f381a4f1d672cce827ee314f8fa95cb82a7a1c4f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('cb486e3e1519d9ea833c9ef5f381a4f1d672cce827ee314f8fa95cb82a7a1c4f', SUITE, sys.argv[1:]))
