"""Slice alone: `python Slice_d814e2a39600.py [--threads N] [--json]`.

Benchmark d814e2a396006d1626079338514ac8bb495cf233ba0637a1e34723c6f30e2e9d,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d814e2a396006d1626079338514ac8bb495cf233ba0637a1e34723c6f30e2e9d', SUITE, sys.argv[1:]))
