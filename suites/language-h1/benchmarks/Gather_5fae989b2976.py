"""Gather alone: `python Gather_5fae989b2976.py [--threads N] [--json]`.

Benchmark 5fae989b29761b28a054294c94140d7cbc5432e23614f40cf41b4daf73a7eaf7,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5fae989b29761b28a054294c94140d7cbc5432e23614f40cf41b4daf73a7eaf7', SUITE, sys.argv[1:]))
