"""Gelu alone: `python Gelu_96fa0aef4ba1.py [--threads N] [--json]`.

Benchmark 96fa0aef4ba166fdcbb7b35563d86964a9a9ebfc02ef52d0a0a72949798a7476,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('96fa0aef4ba166fdcbb7b35563d86964a9a9ebfc02ef52d0a0a72949798a7476', SUITE, sys.argv[1:]))
