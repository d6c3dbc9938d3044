"""Gather alone: `python Gather_d28f86e86e62.py [--threads N] [--json]`.

Benchmark d28f86e86e62051650229fb1125424f28e3c7fe2e4653283925c627db086b006,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d28f86e86e62051650229fb1125424f28e3c7fe2e4653283925c627db086b006', SUITE, sys.argv[1:]))
