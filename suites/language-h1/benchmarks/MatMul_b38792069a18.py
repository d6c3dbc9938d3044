"""MatMul alone: `python MatMul_b38792069a18.py [--threads N] [--json]`.

Benchmark b38792069a1816c6ed96fcaac7a6440e65cbed76413c5560db81b01153fbdf05,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('b38792069a1816c6ed96fcaac7a6440e65cbed76413c5560db81b01153fbdf05', SUITE, sys.argv[1:]))
