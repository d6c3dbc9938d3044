"""ReduceSum alone: `python ReduceSum_b16dbe203c2f.py [--threads N] [--json]`.

Benchmark b16dbe203c2fa31b4544bb2fb606e904a6eb56afcc584daeba63e97e60b8e8e6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b16dbe203c2fa31b4544bb2fb606e904a6eb56afcc584daeba63e97e60b8e8e6', SUITE, sys.argv[1:]))
