"""Add alone: `python Add_c88d85be059b.py [--threads N] [--json]`.

Benchmark c88d85be059be9e8a7545ec8a98ee5be1485e188e935fd5c851f7dc97cad82fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('c88d85be059be9e8a7545ec8a98ee5be1485e188e935fd5c851f7dc97cad82fe', SUITE, sys.argv[1:]))
