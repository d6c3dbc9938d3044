"""Concat alone: `python Concat_f1fceb0ef3fb.py [--threads N] [--json]`.

Benchmark f1fceb0ef3fb114109fc38155d8cb74f8db06d11c42ff9e4d7cb0c81ddc4188a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('f1fceb0ef3fb114109fc38155d8cb74f8db06d11c42ff9e4d7cb0c81ddc4188a', SUITE, sys.argv[1:]))
