"""Add alone: `python Add_805fb7808aa7.py [--threads N] [--json]`.

Benchmark 805fb7808aa77a783ec2a1589d02dfc4259ec2047e5c190ccb062bf31707ab9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('805fb7808aa77a783ec2a1589d02dfc4259ec2047e5c190ccb062bf31707ab9f', SUITE, sys.argv[1:]))
