"""Transpose alone: `python Transpose_d23390938a57.py [--threads N] [--json]`.

Benchmark d23390938a57fdfbe8b4961b4eb111bcc41c09f8cabe8f0dbb669f4237b30d98,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d23390938a57fdfbe8b4961b4eb111bcc41c09f8cabe8f0dbb669f4237b30d98', SUITE, sys.argv[1:]))
