"""Add alone: `python Add_d1cedd0a8c34.py [--threads N] [--json]`.

Benchmark d1cedd0a8c34168913957987b9dd227f6d4bb34c4504984ad90ca7e0bb3c5cf1,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d1cedd0a8c34168913957987b9dd227f6d4bb34c4504984ad90ca7e0bb3c5cf1', SUITE, sys.argv[1:]))
