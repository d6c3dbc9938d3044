"""Slice alone: `python Slice_d757cc3a771f.py [--threads N] [--json]`.

Benchmark d757cc3a771f34e6f861334d77748b3eaa185cb06d3f726b7213635ee3b0016e,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d757cc3a771f34e6f861334d77748b3eaa185cb06d3f726b7213635ee3b0016e', SUITE, sys.argv[1:]))
