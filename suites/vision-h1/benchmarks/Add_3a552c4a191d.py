"""Add alone: `python Add_3a552c4a191d.py [--threads N] [--json]`.

Benchmark 3a552c4a191db53c0c84269afbaebfc2ab3045dac4e80f8ab2ee2c5c5211ce0b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('3a552c4a191db53c0c84269afbaebfc2ab3045dac4e80f8ab2ee2c5c5211ce0b', SUITE, sys.argv[1:]))
