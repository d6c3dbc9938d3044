"""Gather alone: `python Gather_d765917b05ab.py [--threads N] [--json]`.

Benchmark d765917b05aba4e017d9cae0cf917840810134d50e8bc8af40a9665180d61278,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d765917b05aba4e017d9cae0cf917840810134d50e8bc8af40a9665180d61278', SUITE, sys.argv[1:]))
