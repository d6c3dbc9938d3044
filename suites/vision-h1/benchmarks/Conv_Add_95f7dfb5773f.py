"""Conv_Add alone: `python Conv_Add_95f7dfb5773f.py [--threads N] [--json]`.

Benchmark 95f7dfb5773f7c8f2394db439dc00975ec4a66803a5fdeb8e8e5a9baca56c070,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('95f7dfb5773f7c8f2394db439dc00975ec4a66803a5fdeb8e8e5a9baca56c070', SUITE, sys.argv[1:]))
