"""Add alone: `python Add_c13b463e4f85.py [--threads N] [--json]`.

Benchmark c13b463e4f8564cd2b1f9d7701ad89a1e0066b9f563b5f186eecd9cfa89e0e8d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c13b463e4f8564cd2b1f9d7701ad89a1e0066b9f563b5f186eecd9cfa89e0e8d', SUITE, sys.argv[1:]))
