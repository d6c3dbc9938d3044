"""LayerNormalization alone: `python LayerNormalization_aee1b2688cd9.py [--threads N] [--json]`.

Benchmark aee1b2688cd93a2d9912c8153e63d8634e9eb258763c53913479f4d6efd74a4b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('aee1b2688cd93a2d9912c8153e63d8634e9eb258763c53913479f4d6efd74a4b', SUITE, sys.argv[1:]))
