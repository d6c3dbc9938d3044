"""Transpose alone: `python Transpose_d69d31e8b068.py [--threads N] [--json]`.

Benchmark d69d31e8b068c9f6a52b779ba21d0e018b2f46808796e81b8cdd649188c9f631,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d69d31e8b068c9f6a52b779ba21d0e018b2f46808796e81b8cdd649188c9f631', SUITE, sys.argv[1:]))
