"""Concat alone: `python Concat_71ddf98b0a7e.py [--threads N] [--json]`.

Benchmark 71ddf98b0a7efb86733f93b0a0058461f0fc4895880fa50c4abd8f2080dd6da4,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('71ddf98b0a7efb86733f93b0a0058461f0fc4895880fa50c4abd8f2080dd6da4', SUITE, sys.argv[1:]))
