"""Concat alone: `python Concat_9e245dff5456.py [--threads N] [--json]`.

Benchmark 9e245dff5456abd0edc080e51332eea6e30d374fc453dc3c11044f22768a6eaa,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9e245dff5456abd0edc080e51332eea6e30d374fc453dc3c11044f22768a6eaa', SUITE, sys.argv[1:]))
