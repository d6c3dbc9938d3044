"""BatchNormalization alone: `python BatchNormalization_1b653ed62d2e.py [--threads N] [--json]`.

Benchmark 1b653ed62d2e848168720ffcdbc81860f9f046299e0fd7b81ac59870f5d71d22,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('1b653ed62d2e848168720ffcdbc81860f9f046299e0fd7b81ac59870f5d71d22', SUITE, sys.argv[1:]))
