"""LayerNormalization alone: `python LayerNormalization_f96ba460cc48.py [--threads N] [--json]`.

Benchmark f96ba460cc488156bba0190b3941e0b0a24394dcfa5d212ce626c197a171e9f3,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f96ba460cc488156bba0190b3941e0b0a24394dcfa5d212ce626c197a171e9f3', SUITE, sys.argv[1:]))
