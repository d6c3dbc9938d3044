"""Add alone: `python Add_8bed9d5d8e3e.py [--threads N] [--json]`.

Benchmark 8bed9d5d8e3ee3d00e621cb20dae8eeab6c4fd612ae92d9d105e91f8ee31520c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8bed9d5d8e3ee3d00e621cb20dae8eeab6c4fd612ae92d9d105e91f8ee31520c', SUITE, sys.argv[1:]))
