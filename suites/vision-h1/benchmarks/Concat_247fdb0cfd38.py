"""Concat alone: `python Concat_247fdb0cfd38.py [--threads N] [--json]`.

Benchmark 247fdb0cfd38a7e3253f62ef392af8c6d7aecbc3f19a1c9f47c31bfb3e9dc175,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('247fdb0cfd38a7e3253f62ef392af8c6d7aecbc3f19a1c9f47c31bfb3e9dc175', SUITE, sys.argv[1:]))
