"""Add alone: `python Add_fe92dfc6c0f9.py [--threads N] [--json]`.

Benchmark fe92dfc6c0f9e262f2f846a14e79f637a3d0fcd0a181745b4c14ca389bd68547,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('fe92dfc6c0f9e262f2f846a14e79f637a3d0fcd0a181745b4c14ca389bd68547', SUITE, sys.argv[1:]))
