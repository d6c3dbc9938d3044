"""Add alone: `python Add_e2fa6289f365.py [--threads N] [--json]`.

Benchmark e2fa6289f365299d1344f7e4d3f449131d733695a76567755f74087e4bb04342,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e2fa6289f365299d1344f7e4d3f449131d733695a76567755f74087e4bb04342', SUITE, sys.argv[1:]))
