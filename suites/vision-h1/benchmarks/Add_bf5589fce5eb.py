"""Add alone: `python Add_bf5589fce5eb.py [--threads N] [--json]`.

Benchmark bf5589fce5eb9bd7cced19ed85c2e2d99fd6ba1f0a5c46bf1022c23259309688,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bf5589fce5eb9bd7cced19ed85c2e2d99fd6ba1f0a5c46bf1022c23259309688', SUITE, sys.argv[1:]))
