"""ReduceMean alone: `python ReduceMean_a3d2002e975a.py [--threads N] [--json]`.

Benchmark a3d2002e975a64252cc36aa0ca6c98d17e3364736054b2020627684264c58ee0,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('a3d2002e975a64252cc36aa0ca6c98d17e3364736054b2020627684264c58ee0', SUITE, sys.argv[1:]))
