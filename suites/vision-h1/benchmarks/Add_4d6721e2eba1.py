"""Add alone: `python Add_4d6721e2eba1.py [--threads N] [--json]`.

Benchmark 4d6721e2eba12a5e352d307e9c29fe75596e37997c3743ea27dbe444caac3485,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4d6721e2eba12a5e352d307e9c29fe75596e37997c3743ea27dbe444caac3485', SUITE, sys.argv[1:]))
