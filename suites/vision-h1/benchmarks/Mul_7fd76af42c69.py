"""Mul alone: `python Mul_7fd76af42c69.py [--threads N] [--json]`.

Benchmark 7fd76af42c699bd657ac2e1c3b01009f8db38e59919f3409a694e67d54cd17fe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7fd76af42c699bd657ac2e1c3b01009f8db38e59919f3409a694e67d54cd17fe', SUITE, sys.argv[1:]))
