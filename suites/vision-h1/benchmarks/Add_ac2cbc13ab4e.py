"""Add alone: `python Add_ac2cbc13ab4e.py [--threads N] [--json]`.

Benchmark ac2cbc13ab4e95d5d7f3f282d25373f7b2f4f525a8bd722904a59c6bcd0fea3c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ac2cbc13ab4e95d5d7f3f282d25373f7b2f4f525a8bd722904a59c6bcd0fea3c', SUITE, sys.argv[1:]))
