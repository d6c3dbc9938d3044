"""Add alone: `python Add_ab239acc6c30.py [--threads N] [--json]`.

Benchmark ab239acc6c306d4d3552854e12bea3d7d4651bc0f9013af6f0f3a54859d6c5e0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ab239acc6c306d4d3552854e12bea3d7d4651bc0f9013af6f0f3a54859d6c5e0', SUITE, sys.argv[1:]))
