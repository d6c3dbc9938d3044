"""HardSwish alone: `python HardSwish_40e4726692bd.py [--threads N] [--json]`.

Benchmark 40e4726692bdc6596e4bd42bfe8ef3a09d299a7dd4169ded39be72e24a79abdb,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('40e4726692bdc6596e4bd42bfe8ef3a09d299a7dd4169ded39be72e24a79abdb', SUITE, sys.argv[1:]))
