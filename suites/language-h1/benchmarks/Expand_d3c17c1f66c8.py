"""Expand alone: `python Expand_d3c17c1f66c8.py [--threads N] [--json]`.

Benchmark d3c17c1f66c8001bcc6914f22985816e1828751aa38d88c5b8c054b0ef6b227e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d3c17c1f66c8001bcc6914f22985816e1828751aa38d88c5b8c054b0ef6b227e', SUITE, sys.argv[1:]))
