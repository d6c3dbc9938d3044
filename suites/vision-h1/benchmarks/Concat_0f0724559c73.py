"""Concat alone: `python Concat_0f0724559c73.py [--threads N] [--json]`.

Benchmark 0f0724559c73d514a977e8e92032db985c278394ca002c721d8c29e140e79a07,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0f0724559c73d514a977e8e92032db985c278394ca002c721d8c29e140e79a07', SUITE, sys.argv[1:]))
