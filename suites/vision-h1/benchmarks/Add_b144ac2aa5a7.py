"""Add alone: `python Add_b144ac2aa5a7.py [--threads N] [--json]`.

Benchmark b144ac2aa5a7dce70777076a90d9dd1bed53e01df321327613e21c8bc58f6dac,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b144ac2aa5a7dce70777076a90d9dd1bed53e01df321327613e21c8bc58f6dac', SUITE, sys.argv[1:]))
