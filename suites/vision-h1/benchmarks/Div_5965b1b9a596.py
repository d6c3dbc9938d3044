"""Div alone: `python Div_5965b1b9a596.py [--threads N] [--json]`.

Benchmark 5965b1b9a596f15d280c3568b0634e290b52a339fa094bea7c02ed9e0770c367,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5965b1b9a596f15d280c3568b0634e290b52a339fa094bea7c02ed9e0770c367', SUITE, sys.argv[1:]))
