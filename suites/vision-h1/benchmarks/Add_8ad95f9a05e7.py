"""Add alone: `python Add_8ad95f9a05e7.py [--threads N] [--json]`.

Benchmark 8ad95f9a05e7e7aeb9b9320d739262488b76661da4523886ecb3319ea2510d28,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8ad95f9a05e7e7aeb9b9320d739262488b76661da4523886ecb3319ea2510d28', SUITE, sys.argv[1:]))
