"""Add alone: `python Add_595a483f962a.py [--threads N] [--json]`.

Benchmark 595a483f962a12291d7232ea191ca7c966e77482723f96c0bcc65f98a095ac2c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('595a483f962a12291d7232ea191ca7c966e77482723f96c0bcc65f98a095ac2c', SUITE, sys.argv[1:]))
