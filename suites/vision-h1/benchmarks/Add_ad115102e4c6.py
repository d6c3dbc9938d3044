"""Add alone: `python Add_ad115102e4c6.py [--threads N] [--json]`.

Benchmark ad115102e4c6152f35ae2a871d8d6662ef3616102c413fc4e7cf7bd19f887a6a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ad115102e4c6152f35ae2a871d8d6662ef3616102c413fc4e7cf7bd19f887a6a', SUITE, sys.argv[1:]))
