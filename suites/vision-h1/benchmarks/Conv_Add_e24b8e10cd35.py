"""Conv_Add alone: `python Conv_Add_e24b8e10cd35.py [--threads N] [--json]`.

Benchmark e24b8e10cd350d6de1011f449bd447a354b55f670f8a1f41b05fc5b99b292ded,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e24b8e10cd350d6de1011f449bd447a354b55f670f8a1f41b05fc5b99b292ded', SUITE, sys.argv[1:]))
