"""Concat alone: `python Concat_f53d7bc1e1f1.py [--threads N] [--json]`.

Benchmark f53d7bc1e1f1935f9778bc0d77427a4447a3a37108b37c5280e6932d5b8eb2e7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f53d7bc1e1f1935f9778bc0d77427a4447a3a37108b37c5280e6932d5b8eb2e7', SUITE, sys.argv[1:]))
