"""BatchNormalization alone: `python BatchNormalization_5df30ae28ea3.py [--threads N] [--json]`.

Benchmark 5df30ae28ea3fb134871b3626cee773001288a67588d7b79835cc263f941630a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('5df30ae28ea3fb134871b3626cee773001288a67588d7b79835cc263f941630a', SUITE, sys.argv[1:]))
