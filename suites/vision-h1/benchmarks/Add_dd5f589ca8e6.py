"""Add alone: `python Add_dd5f589ca8e6.py [--threads N] [--json]`.

Benchmark dd5f589ca8e61ad232b9d23ca0bdc5171d56793ac78148cab5195260e4940127,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd5f589ca8e61ad232b9d23ca0bdc5171d56793ac78148cab5195260e4940127', SUITE, sys.argv[1:]))
